// SPDX-License-Identifier: Apache-2.0
package dev.mooring.binder.control;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.binder.protection.ClaimProtection;
import dev.mooring.clusterstore.IdSource;
import dev.mooring.clusterstore.MemoryClusterStore;
import dev.mooring.clusterstore.StoreOptions;
import dev.mooring.runtime.ControllerRuntime;
import dev.mooring.runtime.RuntimeOptions;
import dev.mooring.runtime.control.Dispatch;
import dev.mooring.runtime.control.Effect;
import dev.mooring.runtime.control.LoopListener;
import dev.mooring.storage.model.Finalizers;
import dev.mooring.storage.model.Kind;
import dev.mooring.storage.model.Kinds;
import dev.mooring.storage.model.KubernetesObject;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.store.ClusterStore;
import dev.mooring.storage.store.DeleteOptions;
import dev.mooring.storage.store.ForwardingStore;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.StoreResult;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** Many claims of one namespace are deleted at once. */
class ManyDeletionsTest {
    private static final int CLAIMS = 600;

    private final CountDownLatch asked = new CountDownLatch(CLAIMS);
    private final AtomicInteger lists = new AtomicInteger();

    /** Reads the first live list of pods when all claims have asked for one. */
    private final class Slow extends ForwardingStore {
        Slow(ClusterStore store) {
            super(store);
        }

        @Override
        public <T extends KubernetesObject> StoreResult<ObjectList<T>> list(Kind<T> kind, ListOptions options) {
            if (kind.equals(Kinds.POD) && !options.namespace().isEmpty()) {
                lists.incrementAndGet();
                try {
                    assertThat(asked.await(240, TimeUnit.SECONDS)).isTrue();
                } catch (InterruptedException e) {
                    throw new IllegalStateException(e);
                }
            }
            return super.list(kind, options);
        }
    }

    @Test
    void fewListsOfItsPodsServeThemAll() {
        ClusterStore store = new MemoryClusterStore(
                StoreOptions.of(Kinds.standard(), InstantSource.system(), IdSource.random(new Random(1))));
        for (int i = 0; i < CLAIMS; i++) {
            var claim = BinderObjects.claim("data-" + i, "1Gi");
            store.create(
                            Kinds.PERSISTENT_VOLUME_CLAIM,
                            claim.withMetadata(claim.metadata().withFinalizer(Finalizers.PVC_PROTECTION)))
                    .orThrow();
            store.delete(Kinds.PERSISTENT_VOLUME_CLAIM, ObjectKey.of(claim), DeleteOptions.DEFAULT)
                    .orThrow();
        }
        LoopListener counting = new LoopListener() {
            @Override
            public void onEffect(Dispatch dispatch) {
                if (dispatch.effect() instanceof Effect.FindLive) {
                    asked.countDown();
                }
            }
        };
        try (ControllerRuntime runtime = new ControllerRuntime(
                        new Slow(store),
                        List.of(new ClaimProtection()),
                        RuntimeOptions.defaults().withListener(counting))
                .start()) {
            runtime.whenQuiescent().join();
        }
        assertThat(store.list(Kinds.PERSISTENT_VOLUME_CLAIM, ListOptions.ALL)
                        .orThrow()
                        .items())
                .isEmpty();
        // The first list began with the first claim alone; the last claim may have asked after the second began.
        assertThat(lists.get()).isLessThanOrEqualTo(3);
    }
}
