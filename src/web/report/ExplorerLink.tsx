import { ExternalLink } from 'lucide-react';
import { loadChains } from '#src/shared/chains/loadChains.ts';
import { useLoaded } from '#src/web/ui/useLoaded.ts';

interface ExplorerLinkProps {
  chain: string | null;
  kind: 'transaction' | 'address';
  value: string;
}

/** The way to a block explorer, for plain texts of a known chain; nothing else leaves this page. */
export function ExplorerLink({ chain, kind, value }: ExplorerLinkProps) {
  const found = useKnownChains()?.explorerOf(chain ?? '', kind, value);
  if (!found) return null;
  return (
    <a className="small inline-block font-sans" href={found.url} target="_blank" rel="noopener noreferrer">
      <ExternalLink className="icon-s" aria-hidden /> View {kind === 'address' && 'address '}on {found.name}
    </a>
  );
}

/** The checks of all chains; null until they are read. Who validates says so when they cannot be. */
export function useKnownChains(): Awaited<ReturnType<typeof loadChains>> | null {
  return useLoaded(loadChains).value;
}
