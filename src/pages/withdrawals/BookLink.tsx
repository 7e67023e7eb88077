import type { MouseEvent, ReactNode } from 'react';
import type { UseFormReturn } from 'react-hook-form';
import { Link, useNavigate } from 'react-router';
import type { Place } from '#src/lib/chains/lookAlike.ts';
import { locationState } from '#src/lib/locationState.ts';
import { paths } from '#src/lib/paths.ts';
import type { WithdrawalFields } from '#src/lib/operations/withdrawal.ts';

interface BookLinkProps {
  form: UseFormReturn<WithdrawalFields>;
  /** What is to be added there. */
  add?: Place;
  className?: string;
  children: ReactNode;
}

/** To the address book and back: what is typed in the form comes along, and stays where Back finds it. */
export function BookLink({ form, add, className, children }: BookLinkProps) {
  const navigate = useNavigate();
  const go = async () => {
    const values = form.getValues();
    await navigate(paths.newWithdrawal, { replace: true, state: locationState({ prefill: values }) });
    await navigate(paths.addressBook, { state: locationState({ add, back: values }) });
  };
  const click = (event: MouseEvent) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    event.preventDefault();
    void go();
  };
  return (
    <Link className={className} to={paths.addressBook} onClick={click}>
      {children}
    </Link>
  );
}
