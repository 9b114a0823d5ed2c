/** Values that databases, JSON and SQL write differently, for records and filters. */
export const oddTexts = ['plain', '"\\/\b\f\n\r\t\u2028 €😀', '', "' -- ;", '\u0001\u001f', '100%_\\', 'Plain', 'é'];
export const oddNumbers = [0, 1.5, -0.1, 1e308, 5e-324, 123456789.123, 2 ** 53, 1e21, -7];
