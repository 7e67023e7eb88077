import type { ReactNode } from 'react';
import { Link, type LinkProps } from 'react-router';
import type { Ability } from '#src/shared/permissions.ts';
import { useRefusal } from '#src/web/api/permissions.ts';
import { Button, buttonClass, type ButtonVariant } from '#src/web/ui/Button.tsx';

interface ActionLinkProps extends Pick<LinkProps, 'to' | 'state' | 'onClick'> {
  ability: Ability;
  variant?: ButtonVariant;
  size?: 'small';
  icon?: ReactNode;
  /** The reason is only for screen readers, because a button beside it shows the same. */
  reasonHidden?: boolean;
  className?: string;
  children: ReactNode;
}

/** A link that looks like a button. For a person without the ability: a disabled button with the reason. */
export function ActionLink({
  ability,
  variant,
  size,
  icon,
  reasonHidden,
  className,
  children,
  ...link
}: ActionLinkProps) {
  const refusal = useRefusal(ability);
  if (refusal === undefined)
    return (
      <Link {...link} className={`${buttonClass(variant, size)} ${className ?? ''}`}>
        {icon}
        {children}
      </Link>
    );
  const look = { ...(variant && { variant }), ...(size && { size }), ...(reasonHidden && { reasonHidden }) };
  return (
    <Button {...look} icon={icon} className={className} disabledReason={refusal}>
      {children}
    </Button>
  );
}
