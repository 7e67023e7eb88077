import { Tooltip } from '@base-ui/react/tooltip';
import { type RefObject, useEffect, useEffectEvent, useId, useLayoutEffect, useRef, useState } from 'react';
import { revealHidden } from '#src/shared/text.ts';
import { age, formatFull, zoneName } from '#src/shared/time.ts';
import { Keys, useSingleKeys } from './Keys.tsx';

/** `before` covers the gap, so that the pointer can move onto the tooltip (WCAG 1.4.13). */
const tooltipClass = [
  'relative max-w-[min(28rem,calc(100vw-1rem))] rounded-pop border border-rule-strong bg-sheet px-3 py-2',
  'text-small text-ink shadow-pop wrap-anywhere before:absolute before:-inset-2 before:-z-1',
].join(' ');

interface Tip {
  target: HTMLElement;
  rows: { label: string; value: string }[];
  keys: string | undefined;
}

interface TipLayerProps {
  /** Returns the shortcut of the page at a path. */
  keysTo: (path: string) => string | undefined;
}

const HAS_TIP = '[data-tip],[data-tip-unix],[data-keys],a.btn';

/** Whether the button's label, unless a narrow window hides it, already has the tooltip's text. */
function isLabelled(target: HTMLElement, tip: string): boolean {
  return target.matches('.btn') && target.textContent.trim() === tip && getComputedStyle(target).fontSize !== '0px';
}

function rowsOf(target: HTMLElement): Tip['rows'] {
  const { tip, tipUnix } = target.dataset;
  if (tip && isLabelled(target, tip)) return [];
  if (tip) return [{ label: '', value: revealHidden(tip.length > 600 ? `${tip.slice(0, 600)}…` : tip) }];
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

/** The element under the pointer when this layer is loaded; undefined if it was already clicked, which hides tooltips. */
function hovered(): HTMLElement | undefined {
  const element = [...document.querySelectorAll<HTMLElement>(HAS_TIP)].findLast((each) => each.matches(':hover'));
  const isClicked = element?.contains(document.activeElement) || element?.ariaExpanded === 'true';
  return isClicked ? undefined : element;
}

/**
 * The page's one tooltip, for any element with data-tip, data-tip-unix or data-keys, on hover and on focus.
 * One layer instead of a Tooltip.Trigger per cell keeps long lists light.
 */
export function TipLayer({ keysTo }: TipLayerProps) {
  const box = useRef<HTMLDivElement>(null);
  const id = useId();
  const tip = useTip(box, keysTo);
  useDescribedBy(tip, id);
  if (!tip) return null;
  // Times are in columns, so a tooltip at the side doesn’t cover the next one.
  const isTime = tip.target.dataset['tipUnix'] !== undefined;
  // The rest of the page is below an open dialog.
  const container = tip.target.closest<HTMLElement>('dialog, [popover]') ?? undefined;
  return (
    <Tooltip.Root open>
      <Tooltip.Portal container={container}>
        <Tooltip.Positioner
          className="z-20 print:hidden"
          anchor={tip.target}
          positionMethod="fixed"
          side={isTime ? 'right' : 'bottom'}
          align="start"
          sideOffset={4}
          collisionPadding={8}
          collisionAvoidance={isTime ? { fallbackAxisSide: 'end' } : { side: 'flip', align: 'shift' }}
        >
          <Tooltip.Popup className={tooltipClass} role="tooltip" id={id} ref={box}>
            <TooltipContent tip={tip} />
          </Tooltip.Popup>
        </Tooltip.Positioner>
      </Tooltip.Portal>
    </Tooltip.Root>
  );
}

/** The tooltip of the hovered or focused element. */
function useTip(box: RefObject<HTMLDivElement | null>, keysTo: TipLayerProps['keysTo']): Tip | null {
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
  // Called at each scroll step: without the ref React would queue an update each time.
  const show = useEffectEvent((next: Tip | null) => {
    if (latest.current === next) return;
    latest.current = next;
    setTip(next);
  });
  const tipOf = useEffectEvent(makeTip);

  // A layout effect, so that no pointer event is missed after the first render.
  useLayoutEffect(() => {
    const onPointerOver = (event: Event) => {
      if (event.target instanceof Node && box.current?.contains(event.target)) return;
      const target = anchorOf(event);
      show(latest.current?.target === target ? latest.current : tipOf(target));
    };
    const onFocusIn = (event: Event) => {
      const inner = event.target instanceof Element ? event.target.querySelector(HAS_TIP) : null;
      const target = anchorOf(event) ?? (event.target instanceof HTMLAnchorElement ? inner : null);
      const isFocusVisible = event.target instanceof Element && event.target.matches(':focus-visible');
      show(isFocusVisible && target instanceof HTMLElement ? tipOf(target) : null);
    };
    const hide = () => show(null);
    const listeners = new AbortController();
    const { signal } = listeners;
    document.addEventListener('pointerover', onPointerOver, { signal });
    document.addEventListener('focusin', onFocusIn, { signal });
    // Also on a click by keyboard: the next Escape is for what the click opened.
    for (const end of ['focusout', 'pointerdown', 'click']) document.addEventListener(end, hide, { signal });
    document.addEventListener('scroll', hide, { signal, capture: true, passive: true });
    return () => listeners.abort();
  }, [box]);

  useEffect(() => {
    if (!tip) return undefined;
    // Escape closes only the tooltip, and the next one a detail or a dialog below it.
    const escape = (event: KeyboardEvent) => {
      if (event.key === 'Escape') {
        event.preventDefault();
        event.stopPropagation();
      }
      if (event.key === 'Escape' || event.key.length === 1) show(null);
    };
    document.addEventListener('keydown', escape, { capture: true });
    return () => document.removeEventListener('keydown', escape, { capture: true });
  }, [tip]);

  return tip;
}

function useDescribedBy(tip: Tip | null, id: string): void {
  useLayoutEffect(() => {
    if (!tip) return undefined;
    const described = tip.target.closest('a,button') ?? tip.target;
    if (described.hasAttribute('aria-describedby') || described.ariaLabel === tip.rows[0]?.value) return undefined;
    described.setAttribute('aria-describedby', id);
    return () => described.removeAttribute('aria-describedby');
  }, [tip, id]);
}

function TooltipContent({ tip }: { tip: Tip }) {
  return (
    <>
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
    </>
  );
}
