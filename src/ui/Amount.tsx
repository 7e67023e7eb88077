import { createContext, type ReactNode, use } from 'react';
import { amountParts, isAmount, isZero } from '#src/lib/amount.ts';
import { isExactNumber } from '#src/lib/json/exactJson.ts';
import { asText, shorten, visible } from '#src/lib/text.ts';
import { ownWidth } from './integerWidth.ts';
import { UntrustedText } from './UntrustedText.tsx';

interface AmountProps {
  /** As it came from the service; anything that is not a decimal string is shown raw and said to be none. */
  value: unknown;
  asset?: string | undefined;
  /** The fraction in threes, by margin and never by characters; nothing is dimmed. */
  readBack?: boolean;
  /** The amount a page is about: large, not aligned in a column. */
  figure?: boolean;
  /** Stands next to an amount that differs, so no digit is dimmed. */
  compared?: boolean;
  /** A movement: says plus as well as minus. */
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

function shortAsset(asset: string): string {
  return asset.length > ASSET_MAX ? shorten(asset) : asset;
}

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

/** Every digit as sent; see the alignment rule in amount.css. */
export function Amount({ value, asset, readBack, figure, compared, signed, flow, always }: AmountProps) {
  const hidden = useAmountsHidden();
  if (hidden && !always) return <HiddenAmount asset={asset} figure={figure ?? false} />;
  if (!isAmount(value)) return <NotAnAmount value={value} />;
  const { sign: minus, integer, fraction, zeros } = amountParts(value);
  const sign = signed && minus === '' && !isZero(value) ? '+' : minus;
  const length = sign.length + integer.length + fraction.length + zeros.length;
  const plain = readBack || compared;
  const classes = ['amt', flow || figure || readBack ? 'flow' : ''];
  if (figure && length > FIGURE_STEP) classes.push('step');
  if (length > WIDE) classes.push(length > LONG ? 'long' : 'wide');
  const amount = (
    <span className={classes.filter(Boolean).join(' ')}>
      <span className="n" style={flow || figure || readBack ? undefined : { '--own': ownWidth(sign, integer) }}>
        {sign}
        {integer}
      </span>
      {readBack ? (
        <span>{inThrees(fraction + zeros)}</span>
      ) : (
        <span>
          {fraction}
          {zeros && (plain ? zeros : <span className="z">{zeros}</span>)}
        </span>
      )}
      {asset && (
        <span className="a">
          {'\u00a0'}
          <bdi data-tip={asset.length > ASSET_MAX ? asset : undefined}>{visible(shortAsset(asset))}</bdi>
        </span>
      )}
    </span>
  );
  return figure ? <span className="figure">{amount}</span> : amount;
}

/** Says nothing of the amount, not even how long it is. */
function HiddenAmount({ asset, figure }: { asset: string | undefined; figure: boolean }) {
  const amount = (
    <span className="amt flow">
      <span className="n" role="img" aria-label="Amount hidden">
        •••••
      </span>
      {asset && (
        <span className="a">
          {'\u00a0'}
          <bdi>{visible(shortAsset(asset))}</bdi>
        </span>
      )}
    </span>
  );
  return figure ? <span className="figure">{amount}</span> : amount;
}

function NotAnAmount({ value }: { value: unknown }) {
  if (value === undefined) return <span className="amt not-an-amount">not in the answer</span>;
  if (value === null) return <span className="amt not-an-amount">null, no amount</span>;
  const type = isExactNumber(value) ? 'number' : typeof value;
  const kind = type === 'string' ? 'not a decimal string' : `a ${type}, not a decimal string`;
  return (
    <span className="amt not-an-amount">
      <span className="raw">
        <UntrustedText value={asText(value)} max={80} />
      </span>{' '}
      ({kind})
    </span>
  );
}

const HiddenContext = createContext(false);

export function AmountsHiddenProvider({ hidden, children }: { hidden: boolean; children: ReactNode }) {
  return <HiddenContext value={hidden}>{children}</HiddenContext>;
}

/** Whether the person shares the screen and wants no amount on it. */
export function useAmountsHidden(): boolean {
  return use(HiddenContext);
}
