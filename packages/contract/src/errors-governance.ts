/** Errors of compliance, access reviews and policies: a part of the table in `errors.ts`. */
export const governanceErrors = {
  compliance_run_not_found: { status: 404, title: 'Not found', detail: 'There is no such check.' },
  access_review_not_found: { status: 404, title: 'Not found', detail: 'There is no such access review.' },
  access_review_item_not_found: { status: 404, title: 'Not found', detail: 'The access review has no such entry. Nothing was changed.' },
  access_review_completed: {
    status: 409,
    title: 'Already completed',
    detail: 'This access review is completed and does not change any more. Start another one.',
  },
  access_review_undecided: {
    status: 409,
    title: 'Not decided yet',
    detail: 'Some entries are not decided yet. Decide each of them first.',
  },
  waiver_not_found: { status: 404, title: 'Not found', detail: 'There is no such waiver.' },
  policy_not_found: { status: 404, title: 'Not found', detail: 'There is no such policy.' },
  policy_limit_reached: {
    status: 409,
    title: 'Too many policies',
    detail: 'A team has at most 100 policies. Delete one that is archived.',
  },
  policy_hosts_too_many: {
    status: 409,
    title: 'Too many hosts',
    detail:
      'The active policies of a team name at most 5,000 hosts together. Write *.example.com for all names below one, or archive a policy.',
  },
  precondition_failed: {
    status: 412,
    title: 'Changed meanwhile',
    detail: 'This was changed since it was read, and nothing was written now. Read it again, then change it.',
  },
  policy_refused: { status: 403, title: 'Refused by a policy', detail: 'A policy does not allow this.' },
} as const;
