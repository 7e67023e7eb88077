import { newKey } from '#src/shared/operations/random.ts';
import { chargeRequest } from '#src/shared/operations/charge.ts';
import { depositAddressRequest } from '#src/shared/operations/depositAddress.ts';
import { webhookReplayRequest } from '#src/shared/operations/webhookReplay.ts';
import { clientAt } from '#src/tests/contract/http.ts';
import { withdrawalTo, type Wish } from './person.ts';
import { serviceUrl, type Merchant } from './service.ts';

const PAIRS = ['BTC bitcoin', 'ETH ethereum', 'USDT tron', 'SOL solana', 'LTC litecoin', 'USDC polygon'];

/** Requests of all four kinds in turn, all different, except deposit addresses once every asset and chain was used. */
export async function wishesOf({ key }: Merchant): Promise<() => Wish> {
  const { data } = await clientAt(serviceUrl, key).page('/v1/deposits?limit=100&status=completed');
  const deliveries = data.map(({ id }) => id.replace(/^dep_/, 'whd_'));
  let made = 0;
  return () => {
    made += 1;
    const [asset = '', chain = ''] = (PAIRS[made % PAIRS.length] ?? '').split(' ');
    const delivery = made % 4 === 3 ? deliveries.pop() : undefined;
    if (delivery !== undefined) return { key: newKey(), ...webhookReplayRequest(delivery) };
    if (made % 4 === 2) return { key: newKey(), ...depositAddressRequest({ asset, chain }) };
    if (made % 4 === 1) {
      const charge = { asset: 'BTC', chain: 'bitcoin', amount: '0.01', reference: `order ${made}` };
      return { key: newKey(), ...chargeRequest(JSON.stringify(charge)) };
    }
    return withdrawalTo();
  };
}
