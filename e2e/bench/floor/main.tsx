// The floor app that the product is compared with: the same packages and one plain table of deposits.
import { QueryClient, QueryClientProvider, useInfiniteQuery } from '@tanstack/react-query';
import { createColumnHelper, flexRender, tableFeatures, useTable } from '@tanstack/react-table';
import { Decimal } from 'decimal.js';
import { StrictMode } from 'react';
import { createRoot } from 'react-dom/client';
import { createBrowserRouter, RouterProvider, useSearchParams } from 'react-router';

interface Deposit {
  id: string;
  asset: string;
  chain: string;
  received_amount: string;
  status: string;
  created_at: number;
}

interface Page {
  data: Deposit[];
  next_cursor: string | null;
}

async function deposits(filters: string, cursor: string | null, signal: AbortSignal): Promise<Page> {
  const query = new URLSearchParams(filters);
  query.set('limit', '100');
  if (cursor !== null) query.set('starting_after', cursor);
  const answer = await fetch(`/v1/deposits?${query}`, { signal });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer.json() as Promise<Page>;
}

const features = tableFeatures({});
const column = createColumnHelper<typeof features, Deposit>();
const columns = column.columns([
  column.accessor('created_at', {
    header: 'Created',
    cell: (cell) => new Date(cell.getValue() * 1000).toISOString(),
  }),
  column.accessor('id', { header: 'Id' }),
  column.accessor('status', { header: 'Status' }),
  column.accessor('asset', { header: 'Asset' }),
  column.accessor('chain', { header: 'Chain' }),
  column.accessor('received_amount', { header: 'Amount', cell: (cell) => new Decimal(cell.getValue()).toFixed() }),
]);
const none: Deposit[] = [];

function Deposits() {
  const [params] = useSearchParams();
  const filters = params.toString();
  const list = useInfiniteQuery({
    queryKey: ['deposits', filters],
    queryFn: ({ pageParam, signal }) => deposits(filters, pageParam, signal),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next_cursor,
  });
  const data = list.data?.pages.flatMap((page) => page.data) ?? none;
  const table = useTable({ features, columns, data, getRowId: (row) => row.id });
  return (
    <main>
      <h1>Deposits</h1>
      <table>
        <thead>
          {table.getHeaderGroups().map((group) => (
            <tr key={group.id}>
              {group.headers.map((header) => (
                <th key={header.id}>{flexRender(header.column.columnDef.header, header.getContext())}</th>
              ))}
            </tr>
          ))}
        </thead>
        <tbody>
          {table.getRowModel().rows.map((row) => (
            <tr key={row.id}>
              {row.getAllCells().map((cell) => (
                <td key={cell.id}>{flexRender(cell.column.columnDef.cell, cell.getContext())}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      <button type="button" disabled={!list.hasNextPage} onClick={() => void list.fetchNextPage()}>
        Load more
      </button>
    </main>
  );
}

const client = new QueryClient();
const router = createBrowserRouter([{ path: '/deposits', element: <Deposits /> }]);
const root = document.getElementById('root');
if (root)
  createRoot(root).render(
    <StrictMode>
      <QueryClientProvider client={client}>
        <RouterProvider router={router} />
      </QueryClientProvider>
    </StrictMode>,
  );
