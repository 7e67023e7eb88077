import type { ReactNode } from 'react';
import { CopyButton } from './CopyButton.tsx';
import { UntrustedText } from './UntrustedText.tsx';

export function Facts({ children, className }: { children: ReactNode; className?: string }) {
  return <dl className={`facts ${className ?? ''}`}>{children}</dl>;
}

interface FactProps {
  label: string;
  mono?: boolean;
  action?: ReactNode;
  children: ReactNode;
}

export function Fact({ label, mono = false, action, children }: FactProps) {
  return (
    <div>
      <dt>{label}</dt>
      <dd className={mono ? 'mono' : undefined} translate={mono && typeof children === 'string' ? 'no' : undefined}>
        {action && <span className="copy">{action}</span>}
        {children}
      </dd>
    </div>
  );
}

interface TextFactProps extends Pick<FactProps, 'label' | 'mono'> {
  value: string | null | undefined;
  max?: number;
  copy?: string;
}

/** Untrusted text; nothing if there is none. */
export function TextFact({ value, max, copy, ...fact }: TextFactProps) {
  if (value == null) return null;
  return (
    <Fact {...fact} action={copy && <CopyButton value={value} label={copy} />}>
      <UntrustedText value={value} {...(max !== undefined && { max })} />
    </Fact>
  );
}
