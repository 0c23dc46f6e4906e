import type { ModelPrice } from '@paddock/contract';
import { PriceDialog } from './PriceDialog.tsx';
import { RemovePriceDialog } from './RemovePriceDialog.tsx';

export interface Acting {
  /** The price to change; without it one for another model is added. */
  on?: ModelPrice | undefined;
  wish: 'edit' | 'remove';
}

/** The dialog of an action on a price. */
export const PriceDialogs = ({ on, wish, taken, onClose }: Acting & { taken: readonly string[]; onClose: () => void }) =>
  on && wish === 'remove' ? (
    <RemovePriceDialog model={on.model} onClose={onClose} />
  ) : (
    <PriceDialog first={on} taken={taken} onClose={onClose} />
  );
