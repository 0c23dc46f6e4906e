import type { IncomingMessage, ServerResponse } from 'node:http';
import type { StripeBooks } from './books.ts';
import { enterCard, failAuthentication, settle } from './calls.ts';

/** The pages for people: that of the bank, and that on which a card is entered. True if the path is one of them. */
export function servePage(books: StripeBooks, request: IncomingMessage, response: ServerResponse): boolean {
  const [, page, id = '', done] = (request.url ?? '').split('?', 1)[0]!.split('/');
  const intent = page === 'authenticate' ? books.intents.get(id) : undefined;
  const session = page === 'checkout' ? books.sessions.get(id) : undefined;
  if (!intent && !session) return false;
  if (done === undefined) {
    const choices = intent ? ['confirm', 'refuse'] : ['pm_card_visa', 'pm_card_mastercard', 'pm_card_authenticationRequired', 'leave'];
    const links = choices.map((each) => `<p><a href="/${page}/${id}/${each}">${each}</a></p>`).join('');
    response.writeHead(200, { 'content-type': 'text/html' }).end(`<title>Stand-in of Stripe</title><h1>${page}</h1>${links}`);
    return true;
  }
  let back = '';
  if (intent?.status === 'requires_action') {
    back = intent.next_action!.redirect_to_url.return_url;
    if (done === 'confirm') settle(books, intent);
    else failAuthentication(books, intent);
  }
  if (session) {
    back = done === 'leave' ? session.cancel_url : session.success_url;
    if (done !== 'leave') enter(books, session, done);
  }
  response.writeHead(303, { location: back || '/' }).end();
  return true;
}

function enter(
  books: StripeBooks,
  session: { customer: string; client_reference_id: string | null; setup_metadata: object },
  card: string,
) {
  const method = enterCard(books, card);
  method.customer = session.customer;
  const setup = { id: books.newId('seti'), object: 'setup_intent', status: 'succeeded', payment_method: method.id };
  books.tell('setup_intent.succeeded', { ...setup, customer: session.customer, metadata: session.setup_metadata });
  books.tell('checkout.session.completed', { ...session, setup_intent: setup.id });
}
