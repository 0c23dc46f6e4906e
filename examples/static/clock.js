const loaded = document.getElementById('loaded');
const button = document.getElementById('count');
let clicks = 0;

loaded.textContent = new Date().toLocaleTimeString();
button.addEventListener('click', () => {
  clicks += 1;
  button.textContent = `Clicked ${clicks} times`;
});
