// A handful of emoji by name, for the picker and for :name completion.

const LIST = `
grinning 😀,smile 😄,joy 😂,wink 😉,blush 😊,heart_eyes 😍,thinking 🤔,neutral 😐,sweat_smile 😅,sob 😭,angry 😠,sleeping 😴,
sunglasses 😎,party 🥳,scream 😱,shrug 🤷,wave 👋,thumbsup 👍,thumbsdown 👎,clap 👏,pray 🙏,muscle 💪,ok_hand 👌,eyes 👀,
heart ❤️,broken_heart 💔,fire 🔥,sparkles ✨,star ⭐,tada 🎉,gift 🎁,cake 🎂,beer 🍺,coffee ☕,tea 🍵,pizza 🍕,bread 🍞,
cat 🐱,dog 🐶,owl 🦉,dragon 🐉,tree 🌳,rose 🌹,sun ☀️,moon 🌙,rain 🌧️,snow ❄️,rocket 🚀,bike 🚲,train 🚆,tent ⛺,
music 🎵,guitar 🎸,violin 🎻,game 🎮,dice 🎲,book 📖,pencil ✏️,bulb 💡,pin 📌,calendar 📅,clock ⏰,bell 🔔,lock 🔒,
key 🔑,check ✅,cross ❌,warning ⚠️,question ❓,hundred 💯,soccer ⚽,chess ♟️`;

export const EMOJI = LIST.trim()
  .split(/,\s*/)
  .map((entry) => {
    const [name, sign] = entry.split(" ");
    return { name, sign };
  });
