import { useRef, useState } from 'react';
import { Link } from 'react-router';
import { failedLines } from '#src/shared/batches/failedLines.ts';
import type { BatchLineView } from '#src/shared/contract/batchContract.ts';
import { shortStateMarkOf } from '#src/shared/operations/stateMark.ts';
import { OPERATION_STATES, type OperationState, type StateMark, STATES } from '#src/shared/operations/states.ts';
import { readWithdrawalBody } from '#src/shared/operations/withdrawal.ts';
import { paths } from '#src/shared/paths.ts';
import { numberWords, revealHidden, shorten } from '#src/shared/text.ts';
import type { useBatchCommand } from '#src/web/api/batches.ts';
import { CommandButton, NOT_PRESSED } from '#src/web/list/CommandButton.tsx';
import { Amount, integerWidth } from '#src/web/ui/Amount.tsx';
import { StateChip } from '#src/web/ui/Chip.tsx';
import { type DataColumn, DataTable } from '#src/web/ui/DataTable.tsx';
import { useReturnFocus } from '#src/web/ui/focus.ts';
import { Segmented } from '#src/web/ui/Segmented.tsx';
import { ShortId, UntrustedText } from '#src/web/ui/UntrustedText.tsx';
import { useShowMore } from '#src/web/ui/useShowMore.tsx';

interface BatchLinesProps {
  lines: readonly BatchLineView[];
  command: ReturnType<typeof useBatchCommand>;
  /** Whether lines that aren't sent yet can be excluded. */
  canExclude: boolean;
  /** Why the person may not exclude any; undefined if they may. */
  refusal: string | undefined;
}

type Part = 'all' | 'problems' | 'left';

/** Each payment with its state, linked to its own page. */
export function BatchLines({ lines, command, canExclude, refusal }: BatchLinesProps) {
  const [part, setPart] = useState<Part>('all');
  const failed = new Set(failedLines(lines));
  const parts: Record<Part, readonly BatchLineView[]> = {
    all: lines,
    problems: lines.filter((line) => line.state === 'unconfirmed' || line.state === 'refused' || failed.has(line)),
    left: lines.filter(({ state }) => state === 'awaiting'),
  };
  const { shown, more } = useShowMore(parts[part]);
  const amounts = lines.map(({ body }) => readWithdrawalBody(body)?.amount ?? null);
  return (
    <section className="grid gap-2" aria-label="Payments" tabIndex={-1} data-takes-focus>
      <div className="px-gutter">
        <Segmented
          label="Show"
          value={part}
          options={{
            all: `All (${numberWords(lines.length)})`,
            problems: `Problems (${numberWords(parts.problems.length)})`,
            left: `Not sent yet (${numberWords(parts.left.length)})`,
          }}
          onChange={setPart}
        />
      </div>
      {shown.length === 0 ? (
        <p className="px-gutter sub">{part === 'problems' ? 'None has a problem.' : 'None is left to send.'}</p>
      ) : (
        <DataTable
          label="Payments"
          className="grid-table labelled fitted"
          style={{ '--int': integerWidth(amounts).css }}
          rows={shown}
          columns={[...COLUMNS, ...(canExclude && parts.left.length > 0 ? [excludeColumn(command, refusal)] : [])]}
          keyOf={({ key }) => key}
        />
      )}
      <div className="px-gutter">{more}</div>
    </section>
  );
}

const COLUMNS: DataColumn<BatchLineView>[] = [
  { name: 'Line', className: 'num', cell: ({ line }) => numberWords(line) },
  {
    name: 'Recipient',
    isHead: true,
    className: 'min-w-40 whitespace-normal wrap-anywhere',
    cell: ({ key, recipient, body }) => (
      <Link to={paths.operation(key)}>
        <bdi translate="no">
          {recipient === null ? shorten(readWithdrawalBody(body)?.address ?? key) : revealHidden(recipient)}
        </bdi>
      </Link>
    ),
  },
  { name: 'Address', cell: ({ body }) => <ShortId value={readWithdrawalBody(body)?.address ?? ''} /> },
  { name: 'Status', className: 'whitespace-normal', cell: (line) => <LineStatus line={line} /> },
  {
    name: 'Reference',
    className: 'whitespace-normal wrap-anywhere',
    cell: ({ reference }) => reference !== null && <UntrustedText value={reference} max={80} />,
  },
  {
    name: 'Amount',
    className: 'cash',
    cell: ({ body }) => {
      const sent = readWithdrawalBody(body);
      return <Amount value={sent?.amount} asset={sent?.asset} />;
    },
  },
];

function LineStatus({ line }: { line: BatchLineView }) {
  const { error_code: code, state } = line;
  return (
    <>
      <StateChip mark={markOf(line)} big={false} />
      {state === 'refused' && code !== null && (
        <span className="small sub block">
          <UntrustedText value={code} max={80} />
        </span>
      )}
    </>
  );
}

function isOperationState(state: string): state is OperationState {
  return OPERATION_STATES.some((each) => each === state);
}

/** The mark of a line's state. An unknown state, from a later version, is shown by its own name. */
function markOf({ state, status, reason }: BatchLineView): StateMark {
  if (!isOperationState(state)) return { tone: 'open', icon: 'question', chip: revealHidden(state.slice(0, 40)) };
  if (state === 'awaiting') return { ...STATES.awaiting.mark, chip: 'Not sent yet' };
  const mismatch = reason === 'mismatch' ? { reason: 'mismatch' as const } : {};
  return shortStateMarkOf(
    { state, kind: 'withdrawal', ...mismatch },
    { beingSent: state === 'sending', payment: status },
  );
}

function excludeColumn(command: BatchLinesProps['command'], refusal: string | undefined): DataColumn<BatchLineView> {
  return {
    name: 'Actions',
    head: <span className="vh">Actions</span>,
    cell: ({ line, state }) => state === 'awaiting' && <Exclude line={line} command={command} refusal={refusal} />,
  };
}

function Exclude({ line, command, refusal }: { line: number } & Pick<BatchLinesProps, 'command' | 'refusal'>) {
  const { variables } = command;
  const isThis = typeof variables === 'object' && variables.exclude === line;
  // An excluded line has no button.
  const part = useRef<HTMLDivElement>(null);
  useReturnFocus(part);
  return (
    <div ref={part}>
      <CommandButton
        size="small"
        variant="quiet"
        mutation={isThis ? command : NOT_PRESSED}
        busy="Excluding…"
        disabledReason={refusal}
        reasonHidden
        aria-label={`Exclude line ${line}`}
        onPress={() => command.mutate({ exclude: line })}
      >
        Exclude
      </CommandButton>
    </div>
  );
}
