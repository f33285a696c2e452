"""Reading: the words of a post to claims, actions and what stays unread. Knows no state of the battle."""
