// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.standalone;

import dev.mooring.apiserver.token.User;
import dev.mooring.clusterstore.DocumentStore;
import dev.mooring.distribution.page.PageActors;
import dev.mooring.runtime.EventSink;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import java.util.function.Predicate;

/** Who has the server's own token may do everything, and so act by the page too. Thread-safe. */
final class TokenHolders implements PageActors {
    private final DocumentStore store;
    private final EventSink events;
    private final Predicate<String> isToken;

    TokenHolders(DocumentStore store, EventSink events, Predicate<String> isToken) {
        this.store = store;
        this.events = events;
        this.isToken = isToken;
    }

    @Override
    public Whose whose() {
        return Whose.PAGE;
    }

    @Override
    public Actor enter(String token, String address, Kind<?> kind, ObjectKey object) throws Refused {
        if (!isToken.test(token)) {
            throw new Refused(401, "that is not the token");
        }
        String name = "user " + User.ADMINISTRATOR.name() + " at " + address;
        return new Actor() {
            @Override
            public String name() {
                return name;
            }

            @Override
            public ClusterStore store() {
                return store.as("page");
            }

            @Override
            public EventSink events() {
                return events;
            }

            @Override
            public void close() {
                // the store is the server's
            }
        };
    }
}
