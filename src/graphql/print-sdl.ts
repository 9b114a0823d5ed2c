/**
 * The schema as a file, with the directives of its fields. GraphQL.js prints only the definitions of the directives,
 * and introspection shows no more.
 */
import {
  type ConstDirectiveNode,
  type GraphQLSchema,
  isInputObjectType,
  isObjectType,
  Kind,
  parse,
  print,
  printSchema,
} from 'graphql';
import { valueDirectives, valueNotesOf } from './value-notes.js';

export function printSdl(schema: GraphQLSchema): string {
  const text = `${denser(printSchema(schema))}\n`;
  return edited(text, notesOfFields(schema, text));
}

/** Without the blank lines that GraphQL.js prints between the parts of a type, and descriptions of one line on one line. */
const denser = (sdl: string): string =>
  sdl
    .replaceAll(/\n(?=\n +""")/g, '')
    // Whole descriptions, also those that stay, so that what stands between two of them is not taken for one.
    .replaceAll(/^( *)"""\n([\s\S]*?)\n\1"""$/gm, (all, indent: string, text: string) =>
      /\n|["\\]$/.test(text) ? all : `${indent}"""${text.trimStart()}"""`,
    );

/** The directives of the fields, each put where the definition of its field ends in the text. */
function* notesOfFields(schema: GraphQLSchema, text: string): Iterable<TextEdit> {
  for (const definition of parse(text).definitions) {
    const isType =
      definition.kind === Kind.OBJECT_TYPE_DEFINITION || definition.kind === Kind.INPUT_OBJECT_TYPE_DEFINITION;
    const type = isType ? schema.getType(definition.name.value) : undefined;
    if (!isType || !(isObjectType(type) || isInputObjectType(type))) continue;
    const fields = type.getFields();
    for (const { name, loc } of definition.fields ?? []) {
      const field = fields[name.value];
      const directives = Object.entries(field ? valueNotesOf(field) : {}).map(directiveOf);
      if (directives.length > 0 && loc) {
        yield { start: loc.end, end: loc.end, text: ` ${directives.map(print).join(' ')}` };
      }
    }
  }
}

const argumentNames = new Map(valueDirectives.map(({ name, args: [only] }) => [name, only?.name]));

/** A directive with texts as its only argument. */
const directiveOf = ([name, texts]: [string, readonly string[]]): ConstDirectiveNode => ({
  kind: Kind.DIRECTIVE,
  name: { kind: Kind.NAME, value: name },
  arguments: [
    {
      kind: Kind.ARGUMENT,
      name: { kind: Kind.NAME, value: argumentNames.get(name) ?? name },
      value: { kind: Kind.LIST, values: texts.map((value) => ({ kind: Kind.STRING, value })) },
    },
  ],
});

/** A part of a text, and what stands in its place. */
export interface TextEdit {
  start: number;
  end: number;
  text: string;
}

/** The text with the edits, which come in the order of their places and do not overlap. */
export function edited(text: string, edits: Iterable<TextEdit>): string {
  let written = '';
  let end = 0;
  for (const edit of edits) {
    written += text.slice(end, edit.start) + edit.text;
    end = edit.end;
  }
  return written + text.slice(end);
}
