import { identifiersIn } from './classifyQuery.ts';

const MONTH = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
/** The number after "order", unless it is an amount or a day: "order 0.5 ETH", "my order 21 Nov". */
const numberAfter = (nouns: string) =>
  new RegExp(
    String.raw`\b(${nouns})(?:\s+(?:no|nr|number|id))?[\s.:#]*\b([a-z]{0,5}-?\d[\w-]*)(?![\w-]|[.,]\d|\s+(?:${MONTH}))`,
    'i',
  );
const ORDER = numberAfter('order|invoice');
const TICKET = numberAfter('ticket|case');
/** Hex of 32 bytes, or a signature in base58; an address is shorter. */
const HASH = /^(?:(?:0x)?[0-9a-f]{64}|[1-9a-hj-np-z]{80,})$/i;

export interface MailFacts {
  /** "order 4711"; empty without one, as are the others. */
  order: string;
  ticket: string;
  hash: string;
}

/** What a customer's mail names, beside the payment itself. */
export function mailFacts(text: string): MailFacts {
  const [, noun, number] = ORDER.exec(text) ?? [];
  const [, , ticket = ''] = TICKET.exec(text) ?? [];
  return {
    order: noun === undefined ? '' : `${noun.toLowerCase()} ${number}`,
    ticket,
    hash: identifiersIn(text).find((each) => HASH.test(each)) ?? '',
  };
}
