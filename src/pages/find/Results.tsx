import { ArrowDownLeft, ArrowUpRight } from 'lucide-react';
import { Link } from 'react-router';
import { shorten, visible } from '#src/lib/text.ts';
import { numberWords } from '#src/lib/count.ts';
import { StatusCell } from '#src/list/rows/StatusCell.tsx';
import { Amount } from '#src/ui/Amount.tsx';
import { Keys } from '#src/ui/Keys.tsx';
import { Time } from '#src/ui/Time.tsx';
import type { Payment } from './match.ts';
import type { Group, Option } from './options.ts';

interface ResultsProps {
  id: string;
  groups: readonly Group[];
  active: Option | undefined;
  optionId: (option: Option) => string;
  showKeys: boolean;
  onGo: () => void;
}

/** What was found, in groups; the field moves through it, so nothing here takes the focus. */
export function Results({ id, groups, active, optionId, showKeys, onGo }: ResultsProps) {
  return (
    <div role="listbox" id={id} aria-label="Results" className="pal-list peer">
      {groups.map(({ title, note, options }) => (
        <div role="group" key={title} aria-label={note ? `${title}, ${note}` : title}>
          <p className="flex flex-wrap items-baseline gap-x-2 px-4 pt-2 pb-0.5 text-label text-ink-3" aria-hidden>
            <b className="text-ink-2">{title}</b>
            {note && <span>{note}</span>}
            {options[0]?.payment && <span className="ml-auto">{numberWords(options.length)}</span>}
          </p>
          {options.map((option) => (
            <Link
              key={option.key}
              id={optionId(option)}
              role="option"
              aria-selected={option === active}
              tabIndex={-1}
              className={option.payment ? 'pal-r pal-p' : 'pal-r'}
              to={option.to}
              state={option.state}
              onClick={onGo}
            >
              {option.payment ? (
                <PaymentCells payment={option.payment} />
              ) : (
                <>
                  <option.Icon aria-hidden />
                  <bdi className="m">{visible(option.label.slice(0, 200))}</bdi>
                  <span className="w">
                    {option.detail !== undefined && <bdi>{visible(option.detail.slice(0, 200))}</bdi>}
                    {showKeys && option.keys !== undefined && <Keys keys={option.keys} />}
                  </span>
                </>
              )}
            </Link>
          ))}
        </div>
      ))}
    </div>
  );
}

function PaymentCells({ payment: { list, id, amount, asset, status, at, name } }: { payment: Payment }) {
  const Icon = list === 'deposits' ? ArrowDownLeft : ArrowUpRight;
  return (
    <>
      <Icon role="img" aria-label={list === 'deposits' ? 'Deposit' : 'Withdrawal'} />
      <Amount value={amount} asset={asset ?? undefined} flow />
      <StatusCell status={status} />
      <bdi className={name === null || name === '' ? 'm mono' : 'm'}>{visible(shortName(name, id))}</bdi>
      <span className="w">
        <Time unix={at} />
      </span>
    </>
  );
}

/** Names stay whole as far as there is room; addresses and ids are shortened. */
function shortName(name: string | null, id: string): string {
  if (name === null || name === '') return shorten(id);
  return /^\S{25,}$/.test(name) ? shorten(name) : name.slice(0, 120);
}
