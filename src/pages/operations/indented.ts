const STEP = '  ';
/** Strings whole, marks one by one, everything else (numbers, words) as it was written. */
const TOKENS = /"(?:[^"\\]|\\.)*"|[{}[\],:]|[^\s"{}[\],:]+/g;

/** JSON text in lines, every value as it was written: reading it as numbers would round the long ones. */
export function indented(json: string): string {
  let depth = 0;
  let out = '';
  let before = '';
  for (const [token] of json.matchAll(TOKENS)) {
    const opens = token === '{' || token === '[';
    const closes = token === '}' || token === ']';
    if (closes) depth -= 1;
    const starts = before === '{' || before === '[' || before === ',';
    const empty = closes && (before === '{' || before === '[');
    if ((starts && !empty) || (closes && !empty)) out += `\n${STEP.repeat(Math.max(0, depth))}`;
    out += token === ':' ? ': ' : token;
    if (opens) depth += 1;
    before = token;
  }
  return out;
}
