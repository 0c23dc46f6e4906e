import { FileArchive, Upload } from 'lucide-react';
import { type DragEvent, useId, useState } from 'react';
import { Icon } from '../theme/Icon.tsx';

type Props = {
  label: string;
  /** The accepted files, in words: 'One .zip, up to 500 MB'. */
  hint: string;
  /** Filter of the file dialog: '.zip'. The caller must check dropped files. */
  accept: string;
  file: File | null;
  onFile: (file: File) => void;
  error?: string | undefined;
  disabled?: boolean;
};

/** A zone to drop a file on, or to press to choose one. */
export function DropZone({ label, hint, accept, file, onFile, error, disabled = false }: Props) {
  const id = useId();
  const [over, setOver] = useState(false);
  const take = (files: FileList | null) => {
    const first = files?.item(0);
    if (first && !disabled) onFile(first);
  };
  const onDrop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    take(event.dataTransfer.files);
  };
  const restingLook = over ? 'border-accent bg-accent-soft' : 'border-border-strong bg-surface hover:bg-sunken';
  const line = error ? 'border-error-dot' : restingLook;
  return (
    <div>
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions -- dropping is an extra; the input inside does it all by keyboard */}
      <label
        htmlFor={id}
        onDragOver={(event) => {
          event.preventDefault();
          setOver(true);
        }}
        onDragLeave={() => setOver(false)}
        onDrop={onDrop}
        className={`flex cursor-pointer flex-col items-center gap-1 rounded-box border border-dashed px-4 py-7 text-center transition-colors has-focus-visible:outline-2 has-focus-visible:outline-offset-2 has-focus-visible:outline-focus has-disabled:cursor-not-allowed has-disabled:opacity-55 ${line}`}
      >
        <span className="flex items-center gap-2 text-base font-semibold">
          <Icon of={file ? FileArchive : Upload} />
          <span className="break-all">{file ? file.name : label}</span>
        </span>
        <span id={`${id}-hint`} className="text-sm text-muted">
          {file ? `${formatSize(file.size)}. Drop or choose another to replace it.` : hint}
        </span>
        <input
          id={id}
          type="file"
          accept={accept}
          disabled={disabled}
          aria-describedby={error ? `${id}-hint ${id}-error` : `${id}-hint`}
          aria-invalid={error ? true : undefined}
          className="sr-only"
          onChange={(event) => {
            take(event.target.files);
            // Reset, so that choosing the same file again, for example after fixing it, fires a change event.
            event.target.value = '';
          }}
        />
      </label>
      {error ? (
        <p id={`${id}-error`} role="alert" className="mt-1 text-sm text-error-fg">
          {error}
        </p>
      ) : null}
    </div>
  );
}

/** '812 B', '3.4 KB', '120 MB'. */
export function formatSize(bytes: number): string {
  const units = ['B', 'KB', 'MB', 'GB', 'TB'] as const;
  const step = bytes < 1 ? 0 : Math.min(units.length - 1, Math.floor(Math.log10(bytes) / 3));
  const value = bytes / 1000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : Number(value.toFixed(1))} ${units[step]}`;
}
