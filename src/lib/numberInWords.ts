const ONES =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const TENS = '  twenty thirty forty fifty sixty seventy eighty ninety'.split(' ');

/** "one thousand two hundred fifty" of "1250"; of 1 to 999,999. */
export function numberInWords(digits: string): string {
  const thousands = digits.slice(0, -3);
  const rest = belowThousand(digits.slice(-3));
  return thousands === '' ? rest.join(' ') : [...belowThousand(thousands), 'thousand', ...rest].join(' ');
}

function belowThousand(digits: string): string[] {
  const [hundreds = 0, tens = 0, ones = 0] = Array.from(digits.padStart(3, '0'), Number);
  const small = tens === 1 ? 10 + ones : ones;
  return [
    ...(hundreds > 0 ? [ONES[hundreds] ?? '', 'hundred'] : []),
    ...(tens > 1 ? [TENS[tens] ?? ''] : []),
    ...(small > 0 ? [ONES[small] ?? ''] : []),
  ];
}
