// SPDX-License-Identifier: Apache-2.0
package dev.mooring.distribution.page;

import dev.mooring.runtime.EventSink;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;

/** Those who may act by the page. Thread-safe. */
public interface PageActors {
    /** No user may act. */
    PageActors NONE = new PageActors() {
        @Override
        public Whose whose() {
            return Whose.NONE;
        }

        @Override
        public Actor enter(String token, String address, Kind<?> kind, ObjectKey object) throws Refused {
            throw new Refused(404, "this page changes nothing");
        }
    };

    /** Whose token is asked for. */
    enum Whose {
        /** No token: no user may act. */
        NONE,
        /** The one that this page is opened with. */
        PAGE,
        /** One of the API server. */
        CLUSTER
    }

    /** Whose token is asked for. */
    Whose whose();

    /**
     * Lets a user in for one act.
     *
     * @param token what they show
     * @param address from where they come
     * @param kind of what they want to change
     * @param object what they want to change
     * @return to be closed after the act
     * @throws Refused if they may not
     */
    Actor enter(String token, String address, Kind<?> kind, ObjectKey object) throws Refused;

    /** Who acts. */
    interface Actor extends AutoCloseable {
        /** By what events call them; holds no secret. */
        String name();

        /** By which they read and write. */
        ClusterStore store();

        /** Gets the events about what the user did. */
        EventSink events();

        @Override
        void close();
    }

    /** This user may not act. */
    final class Refused extends Exception {
        private static final long serialVersionUID = 1;

        private final int status;

        /**
         * With what is answered.
         *
         * @param status of HTTP
         */
        public Refused(int status, String message) {
            super(message);
            this.status = status;
        }

        int status() {
            return status;
        }
    }
}
