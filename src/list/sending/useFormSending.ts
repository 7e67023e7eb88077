import { useNavigate } from 'react-router';
import { type Sending, useSending } from '#src/api/useSending.ts';
import { paths } from '#src/lib/paths.ts';

/** Sending from a form whose place in the history the operation takes, before anybody knows what becomes of it. */
export function useFormSending(key: string, account: string): Sending {
  const navigate = useNavigate();
  const go = (state: object | null) => (to: string) => {
    void navigate(paths.operation(to), { replace: true, state });
  };
  return useSending(key, account, { started: go(null), existing: go({ instead: true }) });
}
