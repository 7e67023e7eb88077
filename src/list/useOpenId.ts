import { useMatch } from 'react-router';

/** The id of the detail that is open beside a list, undefined when none is. */
export function useOpenId(listPath: string): string | undefined {
  return useMatch(`${listPath}/:id`)?.params.id;
}
