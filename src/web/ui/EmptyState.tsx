import type { ReactNode, Ref } from 'react';

interface EmptyStateProps {
  /** Only needed if the page's heading doesn't already name what is missing. */
  title?: ReactNode;
  /** The next step. */
  action?: ReactNode;
  ref?: Ref<HTMLDivElement>;
  /** One sentence. */
  children?: ReactNode;
}

/** Shown in place of an empty list or a missing page. */
export function EmptyState({ title, action, ref, children }: EmptyStateProps) {
  return (
    <div className="blank" ref={ref}>
      <BlankSheet />
      {title && <h2>{title}</h2>}
      {children && <p>{children}</p>}
      {action && <div className="acts-row pt-2">{action}</div>}
    </div>
  );
}

/** A drawing of an empty ledger sheet. */
export function BlankSheet() {
  return (
    <svg className="blank-sheet" viewBox="8 4 56 48" aria-hidden>
      <path className="ground" d="M8.5 4.5h55v47h-55z" />
      <path className="head" d="M8.5 13.5h55" />
      <path className="lines" d="M14.5 21.5h22M14.5 29.5h15M14.5 37.5h19" />
      <path className="cash" d="M43.5 4.5v47M46.5 4.5v47M50.5 41.5h9M50.5 44.5h9" />
    </svg>
  );
}
