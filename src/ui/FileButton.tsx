import { Upload } from 'lucide-react';
import { type ChangeEvent, useRef } from 'react';
import { Button } from './Button.tsx';

interface FileButtonProps {
  /** What is asked for, in the words of the button. */
  label: string;
  /** As in the attribute of an input: endings and types. */
  accept: string;
  onFile: (file: File) => void;
}

/** Asks for one file; the browser's own control cannot be made to look like the rest. */
export function FileButton({ label, accept, onFile }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  const take = ({ target }: ChangeEvent<HTMLInputElement>) => {
    const file = target.files?.[0];
    // The same file may be chosen again.
    target.value = '';
    if (file) onFile(file);
  };
  return (
    <>
      <Button icon={<Upload aria-hidden />} onClick={() => input.current?.click()}>
        {label}
      </Button>
      <input ref={input} type="file" accept={accept} hidden onChange={take} />
    </>
  );
}
