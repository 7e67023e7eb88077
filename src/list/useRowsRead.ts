import { useQueryClient } from '@tanstack/react-query';
import { useState } from 'react';
import { rowsRead } from '#src/list/rowsRead.ts';

/** The rows that the lists had read in this tab when the page opened; always the same array. */
export function useRowsRead(account: string): readonly Record<string, unknown>[] {
  const client = useQueryClient();
  const [rows] = useState(() => rowsRead(client, account));
  return rows;
}
