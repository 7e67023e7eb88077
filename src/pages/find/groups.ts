import { History } from 'lucide-react';
import { formatAmount } from '#src/lib/amount.ts';
import { numberWords } from '#src/lib/count.ts';
import { paths } from '#src/lib/paths.ts';
import { capital, shorten } from '#src/lib/text.ts';
import { type Payment, paymentIn, paymentOf, within1Percent } from './match.ts';
import {
  addressOptions,
  type Asked,
  create,
  goTo,
  type Group,
  line,
  type Option,
  placeLine,
  recipientOptions,
} from './options.ts';
import { recentPlaces } from './recent.ts';

/** More than a person would look through. */
const MOST_SHOWN = 25;

/** What is offered for a text, the surest first; `found`: what the search has come to. */
export function groupsOf(asked: Asked, found: readonly Payment[]): Group[] {
  const { wanted, index, creates } = asked;
  if (Object.keys(wanted).length === 0) {
    return kept([
      { title: 'Recent', options: recentOptions(asked) },
      { title: 'Go to', options: index.filter((place) => !creates.includes(place)).map(placeLine) },
      { title: 'Create', options: creates.map(placeLine) },
    ]);
  }
  const pages = [
    { title: 'Go to', options: goTo(asked) },
    { title: 'Create', options: create(asked) },
  ];
  const people = [
    { title: 'Addresses', options: addressOptions(asked) },
    { title: 'Recipients', options: recipientOptions(asked) },
  ];
  const payments = paymentGroups(asked, found);
  // Whose an address is comes before anything else.
  return kept(wanted.exact ? [...people, ...pages, ...payments] : [...pages, ...payments, ...people]);
}

function kept(groups: readonly Group[]): Group[] {
  return groups.filter(({ options }) => options.length > 0);
}

function paymentGroups({ wanted, known, zone }: Asked, found: readonly Payment[]): Group[] {
  const { exact, amount, words } = wanted;
  const loaded =
    exact || amount || words
      ? known.rows.flatMap(({ list, row }) => paymentIn(list, row, wanted, known.names, zone) ?? [])
      : [];
  const all = newestFirst([...loaded, ...found]);
  const named = all.filter(({ fit }) => fit === 'named');
  if (named.length > 0) return [groupOf('Payments', '', named)];
  const { amount: value = '', asset } = amount?.value ?? {};
  const [least = '', most = ''] = asset ? within1Percent(value).map((each) => formatAmount(each)) : [];
  return [
    groupOf(
      'Payments',
      asset ? `${formatAmount(value)} ${asset} exactly` : '',
      all.filter(({ fit }) => fit === 'exact'),
    ),
    groupOf(
      'Within 1 %',
      `${least} to ${most} ${asset}`,
      all.filter(({ fit }) => fit === 'near'),
    ),
  ];
}

function groupOf(title: string, about: string, payments: readonly Payment[]): Group {
  const more = payments.length - MOST_SHOWN;
  const left = more > 0 ? `${numberWords(more)} more: add an asset or a day` : '';
  const options = payments.slice(0, MOST_SHOWN).map(paymentLine);
  return { title, note: [about, left].filter(Boolean).join(' · '), options };
}

function paymentLine(payment: Payment): Option {
  const { list, id } = payment;
  const to = list === 'deposits' ? paths.deposit(id) : paths.withdrawal(id);
  return { key: to, to, payment };
}

/** Each payment once. */
function newestFirst(payments: readonly Payment[]): Payment[] {
  const time = ({ at }: Payment) => (typeof at === 'number' ? at : 0);
  const once = new Map(payments.map((payment) => [`${payment.list} ${payment.id}`, payment]));
  return [...once.values()].sort((one, other) => time(other) - time(one));
}

function recentOptions({ known: { rows, names } }: Asked): Option[] {
  return recentPlaces().map(({ path, title, kind }) => {
    const loaded = rows.find(({ list, row }) => list === `${kind}s` && row['id'] === title);
    if (!loaded) return line(History, `${capital(kind)} ${shorten(title)}`, path);
    return paymentLine(paymentOf(loaded.list, title, loaded.row, names));
  });
}
