// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore;

import dev.mooring.clusterstore.admission.Admission;
import dev.mooring.clusterstore.customresources.CustomResourceDefinition;
import dev.mooring.clusterstore.customresources.DefinitionRules;
import dev.mooring.clusterstore.validation.StatefulSetRules;
import dev.mooring.clusterstore.validation.Validation;
import dev.mooring.clusterstore.validation.WorkloadRules;
import dev.mooring.storage.builder.WithBuilder;
import dev.mooring.storage.model.Kinds;
import java.time.InstantSource;
import java.util.List;
import java.util.concurrent.Executor;
import org.apiguardian.api.API;

/**
 * What a store is made of besides its engine. Immutable; each {@code with…} answers with a changed copy.
 *
 * @param kinds the kinds that it holds; never null
 * @param clock gives creation and deletion times; never null
 * @param ids gives uids and generated names; never null
 * @param admissions rules that add or forbid, in their order; never null
 * @param validation rules that refuse; never null
 * @param interceptor makes writes fail; never null
 * @param writes hears of every write; never null
 * @param delivery where watch listeners are called; by default the writing thread, so that in a program of one thread a write
 *     returns after its listeners were called. With an executor of its own, no listener can hold up a writer; it is never shut down;
 *     never null
 * @param watchBacklog how many events may wait for one watch before it is ended with GONE; at least 1
 * @param bookmarkEvery after so many revisions every watch gets a bookmark; at least 1
 */
@API(status = API.Status.EXPERIMENTAL, since = "0.1")
@WithBuilder
public record StoreOptions(
        Kinds kinds,
        InstantSource clock,
        IdSource ids,
        List<Admission> admissions,
        Validation validation,
        WriteInterceptor interceptor,
        WriteListener writes,
        Executor delivery,
        int watchBacklog,
        int bookmarkEvery)
        implements StoreOptionsBuilder.With {
    private static final int BACKLOG = 100_000;
    private static final int BOOKMARK_EVERY = 1_000;

    /** Copies the list and checks the numbers. */
    public StoreOptions {
        admissions = List.copyOf(admissions);
        if (watchBacklog < 1 || bookmarkEvery < 1) {
            throw new IllegalArgumentException("watchBacklog and bookmarkEvery are at least 1");
        }
    }

    /** Kubernetes' rules, no faults, listeners called by the writing thread. */
    public static StoreOptions of(Kinds kinds, InstantSource clock, IdSource ids) {
        return StoreOptionsBuilder.builder()
                .kinds(kinds)
                .clock(clock)
                .ids(ids)
                .admissions(Admission.standard())
                .validation(Validation.standard()
                        .with(CustomResourceDefinition.KIND, new DefinitionRules())
                        .with(StoredKinds.STATEFUL_SET, new StatefulSetRules())
                        .with(StoredKinds.DEPLOYMENT, WorkloadRules.replicated())
                        .with(StoredKinds.REPLICA_SET, WorkloadRules.replicated())
                        .with(StoredKinds.DAEMON_SET, WorkloadRules.daemonSet()))
                .interceptor(WriteInterceptor.NONE)
                .writes(WriteListener.NONE)
                .delivery(Runnable::run)
                .watchBacklog(BACKLOG)
                .bookmarkEvery(BOOKMARK_EVERY)
                .build();
    }
}
