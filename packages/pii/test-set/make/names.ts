// Invented people: no pair of these names is meant to be a real person. Even positions go to the training half, odd ones to the held-out
// half.
const list = (text: string) => text.split(',').map((name) => name.trim());

export const firstNames: Record<string, string[]> = {
  en: list(`Alice, Winston, Priscilla, Jerome, Tabitha, Elliot, Shanice, Desmond, Marjorie, Kareem, Bridget, Lamar, Phoebe, Rohan, Guadalupe,
    Clifford, Xin, Olive, Tyrese, Ananya, Rufus, Mabel, Ignatius, Sunita, Percival, Keisha, Angus, Farah, Wallace, Ngozi, Beatrix, Hiroshi,
    Loretta, Chidi, Jasper, Aaliyah, Cormac, Soo-Jin, Nell, Abdul, Trixie, Mohammed, Dashiell, Ines, Quentin, Parvati, Orla, Emeka, Darla, Yusuf`),
  de: list(`Heike, Dieter, Annika, Uwe, Friederike, Klaus, Gudrun, Lutz, Mareike, Holger, Sieglinde, Arne, Ayşe, Detlef, Ronja, Eberhard, Birgit,
    Malte, Hannelore, Kemal`),
  fr: list(
    `Manon, Thierry, Élodie, Gaël, Solène, Jean-Luc, Amélie, Yves, Noémie, Fabrice, Mireille, Loïc, Fatou, Rémi, Ghislaine, Étienne`,
  ),
  es: list(
    `Lucía, Álvaro, Montserrat, Iker, Encarnación, Rubén, Dolores, Gonzalo, Ximena, Ramiro, Nuria, Emiliano, Belén, Fermín, Araceli, Óscar`,
  ),
  it: list(`Federica, Alessio, Rosaria, Massimo, Giada, Pasquale, Antonella, Fabrizio, Letizia, Ruggero, Serena, Vincenzo`),
  pt: list(`Mariana, Tiago, Conceição, João, Beatriz, Otávio, Fernanda, Gilberto, Inês, Rodrigo, Luzia, Nuno`),
  nl: list(`Anouk, Sjoerd, Hanneke, Daan, Femke, Gijs, Liesbeth, Pieter, Roos, Thijs, Wilma, Jeroen`),
};

export const lastNames: Record<string, string[]> = {
  en: list(`Hargrove, Okonjo, Pemberton, Vasquez, Tillman, Nakagawa, Whitfield, Chowdhury, McAllister, Bright, Ferris, O'Dwyer, Castellano, Yoon,
    Blackwood, Adeyemi, Sinclair, Kapoor, Lockwood, Haddad, Winterbourne, Achterberg, Rojas, Fairweather, Nkemelu, Beaumont-Hill, Singh, Thistlewood,
    Duarte, Cromwell, Park, Stone, Malhotra, Rivera, Kowalski, Underhill, Zhang, Brody, MacLeod, Iyer, Grayson, Petrov, Hussain, Sorensen, Vu, Wolfe,
    Tran, Ballard, Cohen, Mwangi`),
  de: list(`Hartmann, Schreiber, Vogelsang, Nowak, Lindemann, von Arnim, Kaya, Pfeiffer, Grünwald, Obermeier, Stahl, Zimmermann, Rademacher, Böhm,
    Thiel, Winkler, Kötter, Jovanović`),
  fr: list(
    `Delacroix, Moreau, Bouchard, Le Bihan, Chevalier, Diallo, Perrin, Fournier, Guérin, de Villiers, Rousseau, Haddou, Lemoine, Tessier`,
  ),
  es: list(`García Luna, Herrero, Zubiri, Castaño, Morales Vega, Iturbe, Peñalver, Santamaría, Robledo, Ortuño, Cifuentes, de la Fuente`),
  it: list(`Colombo, D'Angelo, Marchetti, Esposito, Bianchini, Di Stefano, Ricciardi, Lombardi, Caputo, Zanetti`),
  pt: list(`Pereira, dos Santos, Carvalho, Magalhães, Teixeira, da Silva Rocha, Barbosa, Queirós, Moura, Azevedo`),
  nl: list(`de Vries, Bakker, van den Berg, Smit, Dijkstra, Vermeulen, van Dam, Mulder, Kok, ter Horst`),
};
