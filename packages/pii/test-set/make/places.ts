// Streets and towns, and how each country writes an address. Even positions go to the training half, odd ones to the held-out half.
const list = (text: string) => text.split(',').map((name) => name.trim());

export const streets: Record<string, string[]> = {
  us: list(`Maplewood Drive, N 4th St, Old Mill Road, Cypress Ave, Sunset Boulevard, SW Clearwater Ct, Cherry Hill Lane, Martin Luther King Jr Blvd,
    Elm Street, W Adams St, Fox Run Trail, Pinehurst Circle, 5th Avenue, E 52nd St, Stone Bridge Pkwy, County Line Rd, Hwy 17, Broadway, Golden Gate Way, Park Pl`),
  uk: list(
    `Albert Road, Station Approach, The Green, Mill Lane, Victoria Terrace, Queensway, Church Street, Heath Gardens, Castle Mews, Regent Square`,
  ),
  de: list(
    `Bahnhofstraße, Rosenweg, Berliner Allee, Schillerplatz, Kastanienstr., Alter Markt, Mühlgasse, Konrad-Adenauer-Ring, An der Aue, Gartenstrasse`,
  ),
  fr: list(
    `rue du Faubourg, avenue Jean Jaurès, boulevard Saint-Michel, chemin des Vignes, place de la République, allée des Tilleuls, quai Rambaud, rue de l'Église`,
  ),
  es: list(`Calle Serrano, Avenida del Puerto, Paseo de Gracia, Plaza de España, C/ Colón, Ronda de Toledo, Camino Real, Av. Diagonal`),
  it: list(
    `Via Dante, Corso Vittorio Emanuele II, Piazza Garibaldi, Viale Monza, Via della Repubblica, Largo Augusto, Strada Maggiore, Vicolo Stretto`,
  ),
  pt: list(
    `Rua do Carmo, Avenida Paulista, Travessa da Boavista, Praça do Comércio, Rua Dom Pedro V, Largo do Rato, Alameda Santos, Rua de Santa Catarina`,
  ),
  nl: list(`Herengracht, Stationsweg, Lange Voorhout, Beukenlaan, Nieuwstraat, Oude Kade, Wilhelminaplein, Molenstraat`),
};

/** The town, followed by the text beside its postcode. */
export const towns: Record<string, string[]> = {
  us: list(
    `Dayton|OH|45402, Santa Fe|NM|87501, Burlington|VT|05401-2210, St. Paul|MN|55102, Fort Worth|TX|76107, Lakewood|Colorado|80226, Salem|OR|97301, Bronx|NY|10458`,
  ),
  uk: list(`Leeds|LS1 4AP, Cardiff|CF10 1EP, Brighton|BN1 1UB, Edinburgh|EH8 8DX, Manchester|M4 5JW, Norwich|NR2 1TF`),
  de: list(`20095|Hamburg, 70173|Stuttgart, 99084|Erfurt, 79098|Freiburg im Breisgau, 60311|Frankfurt am Main, 1010|Wien, 8001|Zürich`),
  fr: list(`75011|Paris, 44000|Nantes, 33000|Bordeaux, 67000|Strasbourg, 59800|Lille, 1000|Bruxelles`),
  es: list(`28004|Madrid, 08007|Barcelona, 46001|Valencia, 48009|Bilbao, 50001|Zaragoza`),
  it: list(`00187|Roma, 20121|Milano, 80134|Napoli, 50122|Firenze, 40126|Bologna`),
  pt: list(`1200-092|Lisboa, 4000-322|Porto, 3000-213|Coimbra, 8000-269|Faro`),
  nl: list(`1017 BS|Amsterdam, 3011 AA|Rotterdam, 2514 EG|Den Haag, 5611 EM|Eindhoven`),
};
