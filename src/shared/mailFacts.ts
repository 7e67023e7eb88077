import { identifiersIn, isTransactionHash } from './classifyQuery.ts';

const MONTH = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec';
/** The number after "order", unless it is an amount or a day: "order 0.5 ETH", "my order 21 Nov". */
const numberAfter = (nouns: string) =>
  new RegExp(
    String.raw`\b(${nouns})(?:\s+(?:no|nr|number|id))?[\s.:#]*\b([a-z]{0,5}-?\d[\w-]*)(?![\w-]|[.,]\d|\s+(?:${MONTH}))`,
    'i',
  );
const ORDER = numberAfter('order|invoice');
const TICKET = numberAfter('ticket|case');

export interface MailFacts {
  /** "order 4711". Like the others, empty if the mail has none. */
  order: string;
  ticket: string;
  hash: string;
}

/** The order, ticket and transaction hash in a customer's mail. */
export function mailFacts(text: string): MailFacts {
  const [, noun, number] = ORDER.exec(text) ?? [];
  const [, , ticket = ''] = TICKET.exec(text) ?? [];
  return {
    order: noun === undefined ? '' : `${noun.toLowerCase()} ${number}`,
    ticket,
    hash: identifiersIn(text).find(isTransactionHash) ?? '',
  };
}
