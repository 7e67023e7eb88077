import type { ReactNode } from 'react';

export function Facts({ children, className }: { children: ReactNode; className?: string }) {
  return <dl className={`facts ${className ?? ''}`}>{children}</dl>;
}

interface FactProps {
  label: string;
  /** Ids, addresses, hashes. */
  mono?: boolean;
  /** Stands at the right of the value, such as a CopyButton. */
  action?: ReactNode;
  children: ReactNode;
}

export function Fact({ label, mono = false, action, children }: FactProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={mono ? 'mono' : undefined}>
        {action && <span className="copy">{action}</span>}
        {children}
      </dd>
    </div>
  );
}
