import { createContext, type ReactNode, use } from 'react';
import { amountParts, isAmount, isZero } from '#src/shared/amount.ts';
import { isExactNumber } from '#src/shared/json/exactJson.ts';
import { textOrJson, shorten, visibleCode } from '#src/shared/text.ts';
import { UntrustedText } from './UntrustedText.tsx';

interface AmountProps {
  /** The service's value; anything but a decimal string is shown raw, marked as not an amount. */
  value: unknown;
  asset?: string | undefined;
  /** For comparing: the fraction in groups of three, separated by margins and not by characters; no digit is dimmed. */
  readBack?: boolean;
  /** The amount a page is about: large, not aligned in a column. */
  figure?: boolean;
  /** No digit is dimmed, because a different amount is shown next to it. */
  compared?: boolean;
  /** A movement: shows plus as well as minus. */
  signed?: boolean;
  /** In a sentence or on a button: without space for alignment. */
  flow?: boolean;
  /** Shown even while amounts are hidden, because it is about to be sent. */
  always?: boolean;
}

/** Characters beyond which an amount is wider than its column: `wide`, then `long` (see amount.css). */
const WIDE = 26;
const LONG = 44;
const FIGURE_STEP = 22;
/** Real codes are much shorter. A longer one is shown in full elsewhere, and must not displace digits. */
const ASSET_MAX = 20;

function inThrees(fraction: string) {
  const digits = fraction.slice(1);
  const groups = Array.from(digits.match(/.{1,3}/g) ?? [], (text, index) => ({ text, at: index * 3 }));
  return (
    <>
      {fraction.slice(0, 1)}
      {groups.map(({ text, at }) => (
        <span key={at} className={at + 3 < digits.length ? 'g3' : undefined}>
          {text}
        </span>
      ))}
    </>
  );
}

/** Decimals before the paler tail. */
const DECIMALS = 8;

/** Splits a fraction, with its point, into the main decimals and a paler tail. */
export function withoutTail(fraction: string): [string, string] {
  return [fraction.slice(0, DECIMALS + 1), fraction.slice(DECIMALS + 1)];
}

/** Every digit exactly as sent, except that a zero is shown as "0"; see the alignment rule in amount.css. */
export function Amount({ value, asset, readBack, figure, compared, signed, flow, always }: AmountProps) {
  const hidden = useAmountsHidden();
  if (hidden && !always) return <HiddenAmount asset={asset} figure={figure ?? false} />;
  if (!isAmount(value)) return <NotAnAmount value={value} />;
  const plain = readBack || compared;
  const { sign: minus, integer, fraction, zeros } = amountParts(!plain && isZero(value) ? '0' : value);
  const [start, tail] = plain ? [fraction, ''] : withoutTail(fraction);
  const sign = signed && minus === '' && !isZero(value) ? '+' : minus;
  const length = sign.length + integer.length + fraction.length + zeros.length;
  const classes = ['amt', flow || figure || readBack ? 'flow' : ''];
  if (figure && length > FIGURE_STEP) classes.push('step');
  if (length > WIDE) classes.push(length > LONG ? 'long' : 'wide');
  const amount = (
    <span className={classes.filter(Boolean).join(' ')} translate="no">
      <span className="n" style={flow || figure || readBack ? undefined : { '--own': ownWidth(sign, integer) }}>
        {sign}
        {integer}
      </span>
      {readBack ? (
        <span>{inThrees(fraction + zeros)}</span>
      ) : (
        <span>
          {start}
          {tail && <span className="t">{tail}</span>}
          {zeros && (plain ? zeros : <span className="z">{zeros}</span>)}
        </span>
      )}
      {asset && assetCode(asset)}
    </span>
  );
  return figure ? <span className="figure">{amount}</span> : amount;
}

/** Separated by a real space, so that screen readers don't join the code to the amount. */
function assetCode(asset: string): ReactNode {
  const isLong = asset.length > ASSET_MAX;
  return (
    <>
      {' '}
      <bdi className="a" data-tip={isLong ? asset : undefined}>
        {visibleCode(isLong ? shorten(asset) : asset)}
      </bdi>
    </>
  );
}

/** Hides the amount, including its length. */
function HiddenAmount({ asset, figure }: { asset: string | undefined; figure: boolean }) {
  const amount = (
    <span className="amt flow" translate="no">
      <span className="n" role="img" aria-label="Amount hidden">
        •••••
      </span>
      {asset && assetCode(asset)}
    </span>
  );
  return figure ? <span className="figure">{amount}</span> : amount;
}

function NotAnAmount({ value }: { value: unknown }) {
  if (value === undefined) return <span className="amt not-an-amount">not in the response</span>;
  if (value === null) return <span className="amt not-an-amount">null, no amount</span>;
  const type = isExactNumber(value) ? 'number' : typeof value;
  const a = type === 'object' ? 'an' : 'a';
  const kind = type === 'string' ? 'not a decimal string' : `${a} ${type}, not a decimal string`;
  return (
    <span className="amt not-an-amount">
      <span className="raw">
        <UntrustedText value={textOrJson(value)} max={80} />
      </span>{' '}
      ({kind})
    </span>
  );
}

export const AmountsHiddenContext = /* @__PURE__ */ createContext(false);

export function useAmountsHidden(): boolean {
  return use(AmountsHiddenContext);
}

declare module 'react' {
  interface CSSProperties {
    /** Width of the integer part of the amounts in a column (amount.css). */
    '--int'?: string;
    /** Width of the integer part of one amount. */
    '--own'?: string;
  }
}

/** Widths in em, rounded up: of a digit in both fonts (see --digit in tokens.css), and of punctuation at its widest weight. */
export const DIGIT = 0.632;
const MARK = 0.34;
const STEP = 0.6;
/** Limit of a column, em. Longer integer parts lose their alignment, but never a digit. */
const WIDEST = 24;

/** The value of `--int` for a column: the width of the longest integer part, rounded up in steps. */
export function integerWidth(values: readonly unknown[], atMost = WIDEST): { em: number; css: string } {
  let widest = DIGIT;
  for (const value of values) {
    if (!isAmount(value)) continue;
    const { sign, integer } = amountParts(value);
    const digits = integer.replaceAll(/\D/g, '').length;
    const marks = integer.length - digits;
    widest = Math.max(widest, (digits + sign.length) * DIGIT + marks * MARK);
  }
  const em = Math.min(Math.ceil(widest / STEP) * STEP, atMost);
  return { em, css: `${em.toFixed(2)}em` };
}

/** Widths in the sans font at weight 500. A minus (U+2212) is as wide as a plus. */
const COMMA = 0.235;
const SIGN = 0.601;

function ownWidth(sign: string, integer: string): string {
  const digits = integer.replaceAll(/\D/g, '').length;
  return `${(sign.length * SIGN + digits * DIGIT + (integer.length - digits) * COMMA).toFixed(3)}em`;
}
