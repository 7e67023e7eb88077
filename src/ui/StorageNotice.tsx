import { Notice } from './Notice.tsx';

interface StorageNoticeProps {
  status: 'loading' | 'ready' | 'unavailable';
  reason?: string | undefined;
  mayForget: boolean;
  /** What cannot be done without storage, as a sentence. */
  refused: string;
  /** What needs the record, such as "a withdrawal". */
  what: string;
}

/** Whether this browser can keep the record that something needs before it leaves. */
export function StorageNotice({ status, reason, mayForget, refused, what }: StorageNoticeProps) {
  if (status === 'unavailable') {
    return (
      <div className="storage">
        <Notice tone="alarm" live="status" title={refused}>
          It cannot keep the record that {what} needs before it leaves. {reason}
        </Notice>
      </div>
    );
  }
  if (!mayForget) return null;
  return (
    <p className="storage small sub">
      This browser did not promise to keep its records and may forget them when space runs low.
    </p>
  );
}
