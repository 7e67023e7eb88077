import { createContext, type ReactNode, use } from 'react';
import { amountParts, isAmount, isZero } from '#src/shared/amount.ts';
import { isExactNumber } from '#src/shared/json/exactJson.ts';
import { textOrJson, shorten, visibleCode } from '#src/shared/text.ts';
import { UntrustedText } from './UntrustedText.tsx';

interface AmountProps {
  /** The service's value; anything but a decimal string is shown raw, marked as not an amount. */
  value: unknown;
  asset?: string | undefined;
  /** The fraction in threes, by margin and never by characters; nothing is dimmed. */
  readBack?: boolean;
  /** The amount a page is about: large, not aligned in a column. */
  figure?: boolean;
  /** Shown next to a different amount, so no digit is dimmed. */
  compared?: boolean;
  /** A movement: shows plus as well as minus. */
  signed?: boolean;
  /** In a sentence or on a button: no room kept for alignment. */
  flow?: boolean;
  /** Shown even while amounts are hidden: it is about to be sent. */
  always?: boolean;
}

/** Characters beyond which an amount needs more room than a column has: `wide`, then `long` (see amount.css). */
const WIDE = 26;
const LONG = 44;
const FIGURE_STEP = 22;
/** Real codes are far shorter; a longer one is shown whole elsewhere and must not push digits away. */
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

/** A fraction with its point, in what most people read and a tail that is paler. */
export function withoutTail(fraction: string): [string, string] {
  return [fraction.slice(0, DECIMALS + 1), fraction.slice(DECIMALS + 1)];
}

/** Every digit as sent, but for a zero; see the alignment rule in amount.css. */
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

/** The real space keeps screen readers from joining the code to the amount. */
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

/** Hides the amount, its length included. */
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

/** Widths in em of the figures of both fonts: see --digit in tokens.css; marks at their widest weight, rounded up. */
export const DIGIT = 0.632;
const MARK = 0.34;
const STEP = 0.6;
/** A column gives no more room than this; longer integer parts lose the alignment, never a digit. */
const WIDEST = 24;

/** The value of `--int` for a column: wide enough for the longest integer part given, in steps. */
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

/** Of the sans at weight 500; a minus (U+2212) is as wide as a plus. */
const COMMA = 0.235;
const SIGN = 0.601;

function ownWidth(sign: string, integer: string): string {
  const digits = integer.replaceAll(/\D/g, '').length;
  return `${(sign.length * SIGN + digits * DIGIT + (integer.length - digits) * COMMA).toFixed(3)}em`;
}
