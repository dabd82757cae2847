const DATA = JSON.parse(document.getElementById("data").textContent);

// -- helpers ------------------------------------------------------------------

const byId = (id) => document.getElementById(id);
const all = (selector, root = document) => [...root.querySelectorAll(selector)];

function filled(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes)) {
    if (value !== null && value !== undefined) node.setAttribute(name, value);
  }
  node.append(...children.filter((child) => child !== null)); // strings become text
  return node;
}
const element = (tag, attributes = {}, ...children) =>
  filled(document.createElement(tag), attributes, children);
const svgElement = (tag, attributes = {}, ...children) =>
  filled(document.createElementNS("http://www.w3.org/2000/svg", tag), attributes, children);

const counted = (n, noun) => `${n.toLocaleString("en")} ${noun}${n === 1 ? "" : "s"}`;
const shown = (text) => (text.trim() ? text : "∅");
const quoted = (word) => `“${shown(word)}”`;

function grouped(groups, key) {
  if (!groups.has(key)) groups.set(key, []);
  return groups.get(key);
}

function later(milliseconds, action) {
  let timer = 0;
  return () => {
    clearTimeout(timer);
    timer = setTimeout(action, milliseconds);
  };
}

// What is scrolled to must not stop under the bar on top, however many lines it has.
function setUpBar() {
  const bar = document.querySelector(".bar");
  const fit = () => {
    const covered = getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0;
    document.documentElement.style.scrollPaddingTop = `${covered + 12}px`;
  };
  new ResizeObserver(fit).observe(bar);
  fit();
}

// -- what things are, for whoever points at them or comes to them by keys ----------------

function setUpTips() {
  const tip = element("div", { id: "tip", role: "tooltip", hidden: "" });
  let about = null;
  document.body.append(tip);
  const hide = () => {
    about?.removeAttribute("aria-describedby");
    about = null;
    tip.hidden = true;
  };
  // Below what it is about, or above; it follows when that is scrolled.
  const put = () => {
    if (!about) return;
    const place = about.getBoundingClientRect();
    const isBelow = place.bottom + tip.offsetHeight + 8 < innerHeight;
    tip.style.left = `${Math.max(8, Math.min(place.left, innerWidth - tip.offsetWidth - 8))}px`;
    tip.style.top = `${isBelow ? place.bottom + 4 : place.top - tip.offsetHeight - 4}px`;
  };
  const show = ({ target }) => {
    const wanted = target instanceof Element ? target.closest("[data-hint]") : null;
    // The pointer that rests somewhere does not hide what keys have come to.
    if (wanted === about || (!wanted && about === document.activeElement)) return;
    hide();
    if (!wanted) return;
    about = wanted;
    about.setAttribute("aria-describedby", "tip");
    tip.textContent = about.dataset.hint;
    tip.hidden = false;
    put();
  };
  document.addEventListener("mouseover", show);
  document.addEventListener("focusin", show);
  document.addEventListener("focusout", hide);
  document.addEventListener("keydown", ({ key }) => key === "Escape" && hide());
  addEventListener("scroll", put, { capture: true, passive: true });
}

// -- light and dark -------------------------------------------------------------

const THEME = "spinal-theme";
const prefersDark = matchMedia("(prefers-color-scheme: dark)");

// A page opened as a file may not be allowed to keep anything.
function remembered(value) {
  try {
    if (value) localStorage.setItem(THEME, value);
    return localStorage.getItem(THEME);
  } catch {
    return value ?? null;
  }
}

function isDark() {
  const chosen = document.documentElement.dataset.theme;
  return chosen ? chosen === "dark" : prefersDark.matches;
}

function setUpTheme() {
  const button = byId("theme");
  const name = () => {
    button.textContent = isDark() ? "Light" : "Dark";
    button.setAttribute("aria-label", `Switch to ${isDark() ? "light" : "dark"} colours`);
  };
  const before = remembered();
  if (before === "light" || before === "dark") {
    document.documentElement.dataset.theme = before;
  }
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    remembered(document.documentElement.dataset.theme);
    name();
  });
  prefersDark.addEventListener("change", name);
  name();
}
