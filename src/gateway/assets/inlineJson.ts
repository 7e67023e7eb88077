const ESCAPES: Record<string, string> = {
  '<': '\\u003c',
  '>': '\\u003e',
  '&': '\\u0026',
  '\u2028': '\\u2028',
  '\u2029': '\\u2029',
};

/** JSON inside HTML, which no value can close or open; a data block is not script to the CSP. */
export function inlineJson(id: string, value: unknown): string {
  const json = JSON.stringify(value).replace(/[<>&\u2028\u2029]/g, (mark) => ESCAPES[mark] ?? mark);
  return `<script type="application/json" id="${id}">${json}</script>\n`;
}
