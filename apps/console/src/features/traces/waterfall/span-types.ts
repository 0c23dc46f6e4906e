import type { Span } from '@paddock/contract';
import { Bot, Globe, Library, type LucideIcon, MessageSquare, Minus, Wrench } from 'lucide-react';

/** Icon, word and bar colour of each span type. Icon and word are always shown, so that the colour is only an addition. */
export const spanTypes = {
  request: { word: 'Request', icon: Globe, bar: 'bg-s1' },
  model: { word: 'Model', icon: MessageSquare, bar: 'bg-s3' },
  embedding: { word: 'Embedding', icon: MessageSquare, bar: 'bg-s5' },
  tool: { word: 'Tool', icon: Wrench, bar: 'bg-s2' },
  agent: { word: 'Agent', icon: Bot, bar: 'bg-s4' },
  retrieval: { word: 'Retrieval', icon: Library, bar: 'bg-info-dot' },
  other: { word: 'Span', icon: Minus, bar: 'bg-neutral-dot' },
} as const satisfies Record<Span['type'], { word: string; icon: LucideIcon; bar: string }>;
