import { ExternalLink } from 'lucide-react';
import { loadChains } from '#src/shared/chains/loadChains.ts';
import { useLoaded } from '#src/web/ui/useLoaded.ts';

interface ExplorerLinkProps {
  chain: string | null;
  kind: 'transaction' | 'address';
  value: string;
}

/** Link to a block explorer. Only for plain text on a known chain, because the value is sent to a third party. */
export function ExplorerLink({ chain, kind, value }: ExplorerLinkProps) {
  const found = useKnownChains()?.explorerOf(chain ?? '', kind, value);
  if (!found) return null;
  return (
    <a className="small inline-block font-sans" href={found.url} target="_blank" rel="noopener noreferrer">
      <ExternalLink className="icon-s mr-1" aria-hidden />
      View {kind === 'address' && 'address '}on {found.name}
    </a>
  );
}

/** The checks of all chains; null until loaded. A failure is reported by the form that validates. */
export function useKnownChains(): Awaited<ReturnType<typeof loadChains>> | null {
  return useLoaded(loadChains).value;
}
