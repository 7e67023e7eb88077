import { useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { visible } from '#src/lib/text.ts';
import { age, formatFull, zoneName } from '#src/lib/time.ts';

const tipClass = [
  'fixed z-20 max-w-[min(28rem,calc(100vw-1rem))] rounded-pop border border-rule-strong bg-sheet px-3 py-2',
  'text-small text-ink shadow-pop wrap-anywhere print:hidden',
].join(' ');

interface Tip {
  target: HTMLElement;
  rows: { label: string; value: string }[];
}

function rowsOf(target: HTMLElement): Tip['rows'] {
  const { tip, tipUnix } = target.dataset;
  if (tip) return [{ label: '', value: visible(tip.length > 600 ? `${tip.slice(0, 600)}…` : tip) }];
  const unix = Number(tipUnix);
  const local = { label: zoneName('local'), value: formatFull(unix, 'local') };
  return [
    { label: 'UTC', value: formatFull(unix, 'utc') },
    ...(local.label === 'UTC' ? [] : [local]),
    { label: 'Unix', value: String(unix) },
    { label: 'Age', value: age(unix, Math.floor(Date.now() / 1000)) },
  ];
}

function tipOf(event: Event): HTMLElement | null {
  const { target } = event;
  return target instanceof Element ? target.closest<HTMLElement>('[data-tip],[data-tip-unix]') : null;
}

const GAP = 4;
const EDGE = 8;

/** Below what it tells of, or above; a time's beside it, where there is room: times stand in columns, and the next one is wanted too. */
function placeOf(anchor: DOMRect, size: DOMRect, isTime: boolean): { left: number; top: number } {
  if (isTime && anchor.right + GAP + size.width < window.innerWidth - EDGE)
    return {
      left: anchor.right + GAP,
      top: Math.max(GAP, Math.min(anchor.top, window.innerHeight - size.height - GAP)),
    };
  const below = anchor.bottom + GAP + size.height < window.innerHeight;
  return {
    left: Math.max(EDGE, Math.min(anchor.left, window.innerWidth - size.width - EDGE)),
    top: below ? anchor.bottom + GAP : Math.max(GAP, anchor.top - GAP - size.height),
  };
}

/**
 * The one tooltip of the page: of whatever carries data-tip or data-tip-unix, on hover and on focus.
 * One layer instead of one per cell keeps long lists light.
 */
export function TipLayer() {
  const [tip, setTip] = useState<Tip | null>(null);
  const box = useRef<HTMLDivElement>(null);
  const id = useId();

  useEffect(() => {
    const show = (event: Event) => {
      if (event.target instanceof Node && box.current?.contains(event.target)) return;
      const target = tipOf(event);
      setTip((shown) => {
        if (!target) return null;
        return shown?.target === target ? shown : { target, rows: rowsOf(target) };
      });
    };
    const focus = (event: Event) => {
      const inner = event.target instanceof Element ? event.target.querySelector('[data-tip],[data-tip-unix]') : null;
      const target = tipOf(event) ?? (event.target instanceof HTMLAnchorElement ? inner : null);
      if (target instanceof HTMLElement && event.target instanceof Element && event.target.matches(':focus-visible'))
        setTip({ target, rows: rowsOf(target) });
      else setTip(null);
    };
    const hide = () => setTip(null);
    const key = (event: KeyboardEvent) => event.key === 'Escape' && hide();
    document.addEventListener('pointerover', show);
    document.addEventListener('focusin', focus);
    document.addEventListener('focusout', hide);
    document.addEventListener('pointerdown', hide);
    document.addEventListener('keydown', key);
    document.addEventListener('scroll', hide, { capture: true, passive: true });
    return () => {
      document.removeEventListener('pointerover', show);
      document.removeEventListener('focusin', focus);
      document.removeEventListener('focusout', hide);
      document.removeEventListener('pointerdown', hide);
      document.removeEventListener('keydown', key);
      document.removeEventListener('scroll', hide, { capture: true });
    };
  }, []);

  useLayoutEffect(() => {
    if (!tip || !box.current) return undefined;
    const anchor = tip.target.getBoundingClientRect();
    const size = box.current.getBoundingClientRect();
    const { left, top } = placeOf(anchor, size, tip.target.dataset['tipUnix'] !== undefined);
    box.current.style.left = `${left}px`;
    box.current.style.top = `${top}px`;
    const described = tip.target.closest('a,button') ?? tip.target;
    if (described.hasAttribute('aria-describedby') || described.ariaLabel === tip.rows[0]?.value) return undefined;
    described.setAttribute('aria-describedby', id);
    return () => described.removeAttribute('aria-describedby');
  }, [tip, id]);

  if (!tip) return null;
  return (
    <div className={tipClass} role="tooltip" id={id} ref={box}>
      {tip.rows.map((row) =>
        row.label ? (
          <div key={row.label} className="grid grid-cols-[max-content_minmax(0,auto)] gap-2">
            <span className="text-ink-3">{row.label}</span>
            <span>{row.value}</span>
          </div>
        ) : (
          <bdi key="tip">{row.value}</bdi>
        ),
      )}
    </div>
  );
}
