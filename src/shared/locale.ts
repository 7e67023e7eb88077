// The only code that formats in the browser's language; a test holds that everything else names one.

const here: typeof globalThis & { navigator?: { language?: string } } = globalThis;

/** As the browser states it, which need not be a language tag: "C" and "en-US@posix" come from systems without one. */
export const userLocale: string | undefined = here.navigator?.language;

const formats = new Map<string, Intl.NumberFormat>();

/** A whole number as a language groups it; English where the locale is no valid tag. */
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
