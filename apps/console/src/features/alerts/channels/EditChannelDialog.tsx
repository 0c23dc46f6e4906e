import type { Channel } from '@paddock/contract';
import { useEffect, useState } from 'react';
import { toast } from 'react-hot-toast/headless';
import { ChannelForm, type ChannelValues } from './ChannelForm.tsx';
import { useChangeChannel } from './use-secret-call.ts';
import { messages } from './words.ts';

/** Sends only the fields changed in the form, since a new address resets the channel. */
export function EditChannelDialog({ channel, onClose }: { channel: Channel; onClose: () => void }) {
  // The channel when the dialog opened: another person's later changes are not reverted.
  const [{ id, name, type, url, events }] = useState(channel);
  const isMasked = type === 'slack';
  const change = useChangeChannel(() => {
    onClose();
    toast.success('Channel changed');
  });
  useEffect(() => {
    if (change.error) toast.error(messages.change);
  }, [change.error]);
  const save = (values: ChannelValues) => {
    const changed = {
      ...(values.name === name ? {} : { name: values.name }),
      ...(values.url === '' || values.url === url ? {} : { url: values.url }),
      ...(values.events.join() === events.join() ? {} : { events: values.events }),
    };
    if (Object.keys(changed).length === 0) onClose();
    else void change.run({ id, ...changed });
  };
  return (
    <ChannelForm
      title={`Edit ${name}`}
      first={{ name, type, url: isMasked ? '' : url, events }}
      kept={isMasked ? { url } : {}}
      submitLabel="Save changes"
      busy={change.busy}
      error={change.error}
      failed={messages.change}
      onSubmit={save}
      onClose={onClose}
    />
  );
}
