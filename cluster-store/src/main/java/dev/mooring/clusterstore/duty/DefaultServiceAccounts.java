// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Decision;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.KeyState;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.runtime.control.Situation;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.ObjectMeta;
import dev.mooring.storage.model.ServiceAccount;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Makes the ServiceAccount {@code default} of each namespace, which pods without an account use; a deleted one is created again. */
final class DefaultServiceAccounts implements Controller {
    private static final String TYPE = "serviceaccount";
    private static final String DEFAULT = "default";
    private static final String CREATE = "create-default-account";

    @Override
    public String name() {
        return TYPE;
    }

    @Override
    public List<Kind<?>> kinds() {
        return List.of(Kinds.NAMESPACE, Kinds.SERVICE_ACCOUNT);
    }

    @Override
    public void observe(ObjectChange<?> change, Mailbox mailbox) {
        boolean there = change.after().isPresent();
        if (change.concerns(Kinds.NAMESPACE) && there && !isSame(change)) {
            mailbox.recheck(keyOf(change.key().name()));
        } else if (change.concerns(Kinds.SERVICE_ACCOUNT)
                && !there
                && change.key().name().equals(DEFAULT)) {
            mailbox.recheck(keyOf(change.key().namespace()));
        }
    }

    /** A list may show a namespace that has been created again in the place of the old one. */
    private static boolean isSame(ObjectChange<?> change) {
        return change.before()
                .map(before -> before.metadata().uid())
                .equals(change.after().map(after -> after.metadata().uid()));
    }

    private static Key keyOf(String namespace) {
        return new Key(TYPE, ObjectKey.cluster(namespace));
    }

    @Override
    public Decision decide(Key key, Optional<KeyState> state, Situation situation) {
        String namespace = key.object().name();
        boolean lives = situation
                .caches()
                .get(Kinds.NAMESPACE, key.object())
                .filter(found -> !found.metadata().isDeleting())
                .isPresent();
        if (!lives
                || situation
                        .caches()
                        .get(Kinds.SERVICE_ACCOUNT, ObjectKey.of(namespace, DEFAULT))
                        .isPresent()) {
            return Decision.nothing();
        }
        Optional<Duration> wait = situation.backoff(CREATE);
        if (wait.isPresent()) {
            return Decision.nothing().wakeAfter(wait.get());
        }
        ObjectMeta metadata = ObjectMeta.EMPTY.withNamespace(namespace).withName(DEFAULT);
        return Decision.act(new Effect.Create<>(CREATE, Kinds.SERVICE_ACCOUNT, new ServiceAccount(metadata)));
    }
}
