import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { createPortal } from 'react-dom';
import { visible } from '#src/shared/text.ts';
import { age, formatFull, zoneName } from '#src/shared/time.ts';
import { Keys, useSingleKeys } from './Keys.tsx';

/** The part before it reaches over the gap: the way to the tip does not leave it (WCAG 1.4.13). */
const tipClass = [
  'fixed z-20 max-w-[min(28rem,calc(100vw-1rem))] rounded-pop border border-rule-strong bg-sheet px-3 py-2',
  'text-small text-ink shadow-pop wrap-anywhere print:hidden before:absolute before:-inset-2 before:-z-1',
].join(' ');

interface Tip {
  target: HTMLElement;
  rows: { label: string; value: string }[];
  keys: string | undefined;
}

const HAS_TIP = '[data-tip],[data-tip-unix],[data-keys],a.btn';

function rowsOf(target: HTMLElement): Tip['rows'] {
  const { tip, tipUnix } = target.dataset;
  if (tip) return [{ label: '', value: visible(tip.length > 600 ? `${tip.slice(0, 600)}…` : tip) }];
  if (tipUnix === undefined) return [];
  const unix = Number(tipUnix);
  const local = { label: zoneName('local'), value: formatFull(unix, 'local') };
  return [
    { label: 'UTC', value: formatFull(unix, 'utc') },
    ...(local.label === 'UTC' ? [] : [local]),
    { label: 'Unix', value: String(unix) },
    { label: 'Age', value: age(unix, Math.floor(Date.now() / 1000)) },
  ];
}

function anchorOf(event: Event): HTMLElement | null {
  const { target } = event;
  return target instanceof Element ? target.closest<HTMLElement>(HAS_TIP) : null;
}

/**
 * What the pointer already rests on when the layer, loaded after the page, arrives: no event tells of it any more.
 * Nothing, once the focus is somewhere: somebody has clicked, and a press ends a tip.
 */
function hovered(): HTMLElement | undefined {
  if (document.activeElement !== document.body) return undefined;
  return [...document.querySelectorAll<HTMLElement>(HAS_TIP)].findLast((element) => element.matches(':hover'));
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
 * The one tooltip of the page: of whatever carries data-tip, data-tip-unix or data-keys, on hover and on focus.
 * One layer instead of one per cell keeps long lists light. In a dialog it stands inside: below it nobody would see it.
 */
export function TipLayer({ keysTo }: { keysTo: (path: string) => string | undefined }) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const showKeys = useSingleKeys();
  const makeTip = (target: HTMLElement | null | undefined): Tip | null => {
    if (!target) return null;
    const path = target instanceof HTMLAnchorElement ? keysTo(target.pathname) : undefined;
    const keys = showKeys ? (target.dataset['keys'] ?? path) : undefined;
    const rows = rowsOf(target);
    return rows.length === 0 && keys === undefined ? null : { target, rows, keys };
  };
  const [tip, setTip] = useState(() => makeTip(hovered()));
  const latest = useRef(tip);
  // React keeps every update that changes nothing until something does, and each step of scrolling hides.
  const put = useEffectEvent((next: Tip | null) => {
    if (latest.current === next) return;
    latest.current = next;
    setTip(next);
  });
  const tipOf = useEffectEvent(makeTip);

  // At once: what the pointer comes to between the first drawing and the listeners would tell nobody.
  useLayoutEffect(() => {
    const show = (event: Event) => {
      if (event.target instanceof Node && box.current?.contains(event.target)) return;
      const target = anchorOf(event);
      put(latest.current?.target === target ? latest.current : tipOf(target));
    };
    const focus = (event: Event) => {
      const inner = event.target instanceof Element ? event.target.querySelector(HAS_TIP) : null;
      const target = anchorOf(event) ?? (event.target instanceof HTMLAnchorElement ? inner : null);
      const isSeen = event.target instanceof Element && event.target.matches(':focus-visible');
      put(isSeen && target instanceof HTMLElement ? tipOf(target) : null);
    };
    const hide = () => put(null);
    const over = new AbortController();
    const { signal } = over;
    document.addEventListener('pointerover', show, { signal });
    document.addEventListener('focusin', focus, { signal });
    // By a click of a key, too: what it opened takes the next Escape.
    for (const end of ['focusout', 'pointerdown', 'click']) document.addEventListener(end, hide, { signal });
    document.addEventListener('scroll', hide, { signal, capture: true, passive: true });
    return () => over.abort();
  }, []);

  useEffect(() => {
    if (!tip) return undefined;
    // The tip alone goes: what is open below it, a detail or a dialog, takes the next Escape.
    const escape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
      }
      if (event.key === 'Escape' || event.key.length === 1) put(null);
    };
    document.addEventListener('keydown', escape, { capture: true });
    return () => document.removeEventListener('keydown', escape, { capture: true });
  }, [tip]);

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
  const layer = (
    <div className={tipClass} role="tooltip" id={id} ref={box}>
      {tip.rows.map((row) =>
        row.label ? (
          <div key={row.label} className="grid grid-cols-[max-content_minmax(0,auto)] gap-2">
            <span className="text-ink-3">{row.label}</span>
            <span translate="no">{row.value}</span>
          </div>
        ) : (
          <bdi key="tip" translate="no">
            {row.value}
          </bdi>
        ),
      )}
      {tip.keys !== undefined && (
        <>
          {tip.rows.length > 0 && ' '}
          <span className="vh">Key {tip.keys}</span>
          <Keys keys={tip.keys} />
        </>
      )}
    </div>
  );
  const within = tip.target.closest('dialog, [popover]');
  return within ? createPortal(layer, within) : layer;
}
