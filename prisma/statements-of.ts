/** The parts of a script that no semicolon ends: texts, quoted bodies of functions, bodies of SQLite's triggers. */
const whole = /'(?:[^']|'')*'|\$(\w*)\$[\s\S]*?\$\1\$|(?<=^CREATE TRIGGER\b[^;]*?)\bBEGIN\b[\s\S]*?\bEND(?=;)/gim;

/** The statements of a script, each in one line without comments. Texts and bodies of functions are left out. */
export function statementsOf(sql: string): string[] {
  return sql
    .replace(/--.*|\/\*[\s\S]*?\*\//g, '')
    .replace(whole, "''")
    .split(';')
    .map((statement) => statement.replace(/\s+/g, ' ').trim())
    .filter((statement) => statement !== '');
}
