// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.duty;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.clusterstore.Interception;
import dev.mooring.runtime.cache.ObjectChange;
import dev.mooring.runtime.cache.ObjectChange.Origin;
import dev.mooring.runtime.control.Controller;
import dev.mooring.runtime.control.Key;
import dev.mooring.runtime.control.Mailbox;
import dev.mooring.storage.document.Document;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.Namespace;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.StoreResult.Failure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.DisplayName;
import org.junit.jupiter.api.Test;

@DisplayName("The default account of a namespace")
class DefaultServiceAccountsTest {
    private static final ObjectKey ACCOUNT = ObjectKey.of("x", "default");
    private final DutyWorld world = new DutyWorld(
            BackgroundDuties.defaultServiceAccounts(), BackgroundDuties.namespaceTermination(Kinds.standard()));

    private void namespace() {
        world.create(Kinds.NAMESPACE, Document.of(Map.of("metadata", DutyWorld.meta("", "x"))));
    }

    @Test
    @DisplayName("is made once, and again when it is deleted")
    void made() {
        namespace();
        world.settle();
        assertThat(world.find(Kinds.SERVICE_ACCOUNT, ACCOUNT)).isPresent();
        world.delete(Kinds.SERVICE_ACCOUNT, ACCOUNT).settle();
        assertThat(world.find(Kinds.SERVICE_ACCOUNT, ACCOUNT)).isPresent();
        assertThat(world.writes).hasSize(2);
        assertThat(world.hasTimer()).isFalse();
    }

    @Test
    @DisplayName("goes with its namespace and does not come back")
    void goes() {
        namespace();
        world.settle().delete(Kinds.NAMESPACE, ObjectKey.cluster("x"));
        world.settle();
        assertThat(world.names(Kinds.NAMESPACE)).isEmpty();
        assertThat(world.find(Kinds.SERVICE_ACCOUNT, ACCOUNT)).isEmpty();
    }

    @Test
    @DisplayName("is tried again after a while if the store refuses it")
    void refused() {
        world.fault = Interception.refuse(Failure.UNAVAILABLE, "no server");
        namespace();
        world.settle();
        assertThat(world.find(Kinds.SERVICE_ACCOUNT, ACCOUNT)).isEmpty();
        world.fault = Interception.PROCEED;
        world.advance(Duration.ofMinutes(1));
        assertThat(world.find(Kinds.SERVICE_ACCOUNT, ACCOUNT)).isPresent();
    }

    @Test
    @DisplayName("is looked for when a list shows another namespace of the name in the place of the old one")
    void ofAnotherNamespaceOfTheName() {
        List<Key> posted = new ArrayList<>();
        Mailbox mailbox = new Mailbox() {
            @Override
            public void inputChanged(Key key) {
                posted.add(key);
            }

            @Override
            public void recheck(Key key) {
                posted.add(key);
            }
        };
        Controller accounts = BackgroundDuties.defaultServiceAccounts();
        accounts.observe(relisted("1", "1"), mailbox);
        assertThat(posted).isEmpty();
        accounts.observe(relisted("1", "2"), mailbox);
        assertThat(posted).hasSize(1);
    }

    private static ObjectChange<Namespace> relisted(String before, String after) {
        return new ObjectChange<>(
                Kinds.NAMESPACE,
                ObjectKey.cluster("x"),
                Optional.of(namespace(before)),
                Optional.of(namespace(after)),
                Origin.WATCH);
    }

    private static Namespace namespace(String uid) {
        Document metadata = Document.of(Map.of("name", "x", "uid", uid));
        return Kinds.NAMESPACE.read(Document.of(Map.of("metadata", metadata)));
    }
}
