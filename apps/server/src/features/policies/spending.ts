/** What the model calls of a team's production agents cost since the UTC day began, in dollars. */
export type SpentToday = (team_id: string) => Promise<number>;

/** Sums what the projects of a team cost. */
export const spending =
  (costsToday: () => Promise<Map<string, number>>, projectsOf: (team_id: string) => Promise<string[]>): SpentToday =>
  async (team_id) => {
    const [costs, projects] = [await costsToday(), await projectsOf(team_id)];
    return projects.reduce((sum, id) => sum + (costs.get(id) ?? 0), 0);
  };
