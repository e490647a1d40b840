"""Players that see views only, from one that draws lots to one that looks ahead."""

from essen_hilo.bots.basic import Bot, RandomBot
from essen_hilo.bots.greedy import GreedyBot
from essen_hilo.bots.search import SearchBot

__all__ = ["Bot", "GreedyBot", "RandomBot", "SearchBot"]
