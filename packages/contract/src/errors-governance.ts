/** Errors of compliance, access reviews and policies: a part of the table in `errors.ts`. */
export const governanceErrors = {
  compliance_run_not_found: { status: 404, title: 'Not found', detail: 'There is no such check.' },
  access_review_not_found: { status: 404, title: 'Not found', detail: 'There is no such access review.' },
  access_review_item_not_found: { status: 404, title: 'Not found', detail: 'This access review has no such entry. Nothing was changed.' },
  access_review_completed: {
    status: 409,
    title: 'Already completed',
    detail: 'This access review is complete and can no longer be changed. Start another one.',
  },
  access_review_undecided: {
    status: 409,
    title: 'Entries undecided',
    detail: 'Some entries are not decided yet. Decide each of them first.',
  },
  waiver_not_found: { status: 404, title: 'Not found', detail: 'There is no such waiver.' },
  policy_not_found: { status: 404, title: 'Not found', detail: 'There is no such policy.' },
  policy_limit_reached: {
    status: 409,
    title: 'Too many policies',
    detail: 'Your team has reached its limit of 100 policies. Delete an archived one.',
  },
  policy_hosts_too_many: {
    status: 409,
    title: 'Too many hosts',
    detail:
      'The active policies of a team can name at most 5,000 hosts in total. Use *.example.com to cover all subdomains of a host, or archive a policy.',
  },
  precondition_failed: {
    status: 412,
    title: 'Changed in the meantime',
    detail: 'It has changed since you read it, so nothing was saved. Read it again, then change it.',
  },
  policy_refused: { status: 403, title: 'Refused by a policy', detail: 'A policy of your team does not allow this.' },
} as const;
