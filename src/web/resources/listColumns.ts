// The columns of the service's lists, without the code of their pages: the first rows are drawn before that loads.
import type { DepositRow, WithdrawalRow } from '#src/shared/contract/rows.ts';
import { columnId, type ListField, type ListRow } from '#src/web/list/fields.tsx';
import type { Noun } from '#src/shared/text.ts';
import type { ColumnLayout } from '#src/web/list/rows/columnFit.ts';
import { noteText } from '#src/web/list/rows/listCells.tsx';

export interface ListColumns<T extends ListRow> {
  title: string;
  noun: Noun;
  /** In the order of case files. */
  fields: readonly ListField<T>[];
  /**
   * Names of fields. `columns`: the usual ones. The first and the last (the amount) always show; narrow windows leave out
   * columns from the end, before the amount. `more`: can be added. `cards`: if they differ.
   */
  columns: readonly string[];
  more?: readonly string[];
  cards?: readonly string[];
  /** Head of the column of references and notes; default: that of NOTE. */
  noteLabel?: string;
  chart?: true;
}

/** The team's reference and note on a payment. */
export const NOTE: ListField<ListRow> = {
  name: 'team_note',
  label: 'Reference and note',
  kind: 'word',
  width: 9,
  share: 2,
  cell: noteText,
};

/** Common to deposits and withdrawals. */
const PAYMENT_FIELDS: readonly ListField<ListRow>[] = [
  { name: 'id', label: 'ID', kind: 'id', width: 9 },
  { name: 'object', label: 'Object', kind: 'word' },
  { name: 'status', label: 'Status', kind: 'status', width: 9.75 },
  { name: 'asset', label: 'Asset', kind: 'code' },
  { name: 'chain', label: 'Chain', kind: 'chain', width: 6.75 },
];
const CREATED: ListField<ListRow> = { name: 'created_at', label: 'Created', kind: 'time', width: 10.5 };

export const DEPOSITS: ListColumns<DepositRow> = {
  title: 'Deposits',
  noun: { one: 'deposit', many: 'deposits' },
  fields: [
    ...PAYMENT_FIELDS,
    { name: 'received_amount', label: 'Received', kind: 'amount' },
    { name: 'address', label: 'To', kind: 'address', open: 'deposit address' },
    { name: 'tx_hash', label: 'Hash', kind: 'hash', open: 'transaction hash' },
    CREATED,
  ],
  columns: ['created_at', 'status', 'chain', NOTE.name, 'received_amount'],
  more: ['id', 'address', 'tx_hash'],
  noteLabel: 'Reference or label',
  chart: true,
};

export const WITHDRAWALS: ListColumns<WithdrawalRow> = {
  title: 'Withdrawals',
  noun: { one: 'withdrawal', many: 'withdrawals' },
  fields: [
    ...PAYMENT_FIELDS,
    { name: 'amount', label: 'Amount', kind: 'amount' },
    { name: 'fee', label: 'Fee', kind: 'amount' },
    { name: 'address', label: 'To', kind: 'address', width: 10, share: 3, link: true },
    { name: 'tx_hash', label: 'Hash', kind: 'hash' },
    CREATED,
  ],
  columns: ['created_at', 'status', 'address', 'chain', 'amount'],
  more: [NOTE.name, 'id', 'tx_hash'],
  chart: true,
};

/** Throws for a name that is not a field, so that a misspelt column doesn't silently vanish. */
export function fieldsNamed<T>(fields: readonly ListField<T>[], names: readonly string[]): ListField<T>[] {
  return names.map((name) => {
    const field = fields.find((each) => each.name === name);
    if (!field) throw new TypeError(`The list has no field "${name}".`);
    return field;
  });
}

/** The fields of a list, and the column of the team's references and notes. */
export function columnFields<T extends ListRow>({
  fields,
  noteLabel: label = NOTE.label,
}: ListColumns<T>): ListField<T>[] {
  return [...fields, { ...NOTE, label }];
}

/** All columns of a list, in order. */
export function everyColumn<T extends ListRow>({ columns, more = [] }: ListColumns<T>): string[] {
  return [...columns.slice(0, -1), ...more, ...columns.slice(-1)];
}

/** The fields of the chosen columns, and their widths. */
export function visibleFields<T extends ListRow>(
  look: ListColumns<T>,
  chosen = look.columns,
): { fields: ListField<T>[]; layout: ColumnLayout } {
  const { fields, columns, cards = columns } = look;
  const every = everyColumn(look);
  const names = every.filter((name, at) => at === 0 || at === every.length - 1 || chosen.includes(name));
  const visible = fieldsNamed(columnFields(look), names);
  const widthOf = (field: ListField<T>) => ({ id: columnId(field), width: field.width, share: field.share });
  return {
    fields: visible,
    layout: {
      columns: visible.map(widthOf),
      cards: fieldsNamed(columnFields(look), cards).map(widthOf),
      links: fields.filter(({ link }) => link).map(columnId),
    },
  };
}
