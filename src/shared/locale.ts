// The only code that formats in the browser's language; a test checks that all other formatters name a locale.

const here: typeof globalThis & { navigator?: { language?: string } } = globalThis;

/** The browser's language, which may not be a valid tag: systems without one report "C" or "en-US@posix". */
export const userLocale: string | undefined = here.navigator?.language;

const formats = new Map<string, Intl.NumberFormat>();

/** A whole number grouped for the locale; as in English if the locale isn't a valid tag. */
export function groupDigits(integer: bigint, locale: string | undefined): string {
  const name = locale ?? '';
  const format = formats.get(name) ?? numberFormat(locale);
  formats.set(name, format);
  return format.format(integer);
}

function numberFormat(locale: string | undefined): Intl.NumberFormat {
  // Latin digits everywhere: an amount is compared with what a wallet or a bank statement shows.
  const options = { numberingSystem: 'latn' };
  try {
    return new Intl.NumberFormat(locale, options);
  } catch {
    return new Intl.NumberFormat('en', options);
  }
}
