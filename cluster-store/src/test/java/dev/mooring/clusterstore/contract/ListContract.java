// SPDX-License-Identifier: Apache-2.0
package dev.mooring.clusterstore.contract;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mooring.storage.model.LabelSelector;
import dev.mooring.storage.model.LabelSelectorRequirement;
import dev.mooring.storage.model.ObjectKey;
import dev.mooring.storage.model.PersistentVolume;
import dev.mooring.storage.store.ListOptions;
import dev.mooring.storage.store.ObjectList;
import dev.mooring.storage.store.Revision;
import dev.mooring.storage.store.StoreResult.Failure;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Lists, pages and selectors. */
abstract class ListContract extends WriteContract {
    @Test
    void aListIsInOrderOfNamespaceThenName() {
        create(claim("y", "a"));
        create(claim("x", "b"));
        create(claim("x", "a"));
        List<String> keys = store().list(PVC, ListOptions.ALL).orThrow().items().stream()
                .map(object -> ObjectKey.of(object).toString())
                .toList();
        assertThat(keys).containsExactly("x/a", "x/b", "y/a");
    }

    @Test
    void aListShowsItsRevision() {
        PersistentVolume created = create(volume("a"));
        ObjectList<PersistentVolume> list = store().list(PV, ListOptions.ALL).orThrow();
        assertThat(list.revision()).isGreaterThanOrEqualTo(revisionOf(created));
        assertThat(list.items()).containsExactly(created);
        assertThat(list.continueToken()).isEmpty();
    }

    @Test
    void aListOfOneNamespaceShowsNoOther() {
        create(claim("x", "a"));
        create(claim("xx", "a"));
        create(claim("y", "a"));
        assertThat(names(store().list(PVC, ListOptions.inNamespace("x"))
                        .orThrow()
                        .items()))
                .containsExactly("a");
        assertThat(store().list(PVC, ListOptions.inNamespace("z")).orThrow().items())
                .isEmpty();
    }

    @Test
    void labelsSelect() {
        create(labelled(volume("a"), "tier", "gold"));
        create(labelled(volume("b"), "tier", "silver"));
        create(volume("c"));
        assertThat(selected(new LabelSelector(Map.of("tier", "gold"), List.of())))
                .containsExactly("a");
        assertThat(selected(where("tier", "In", "gold", "silver"))).containsExactly("a", "b");
        assertThat(selected(where("tier", "NotIn", "gold"))).containsExactly("b", "c");
        assertThat(selected(where("tier", "Exists"))).containsExactly("a", "b");
        assertThat(selected(where("tier", "DoesNotExist"))).containsExactly("c");
    }

    @Test
    void labelsThatAreIntegersAreCompared() {
        create(labelled(volume("a"), "size", "4"));
        create(labelled(volume("b"), "size", "5"));
        create(labelled(volume("c"), "size", "large"));
        create(volume("d"));
        assertThat(selected(where("size", "Gt", "4"))).containsExactly("b");
        assertThat(selected(where("size", "Lt", "5"))).containsExactly("a");
    }

    @Test
    void whatDoesNotCompareWithOneIntegerIsInvalid() {
        assertFailed(store().list(PV, ListOptions.ALL.withLabels(where("a", "Gt", "x"))), Failure.INVALID);
        assertFailed(store().list(PV, ListOptions.ALL.withLabels(where("a", "Lt", "1", "2"))), Failure.INVALID);
        assertFailed(store().list(PV, ListOptions.ALL.withLabels(where("a", "Near", "1"))), Failure.INVALID);
    }

    @Test
    void fieldsSelect() {
        create(volume("a"));
        create(volume("b"));
        assertThat(names(fields("metadata.name=a"))).containsExactly("a");
        assertThat(names(fields("metadata.name==a"))).containsExactly("a");
        assertThat(names(fields("metadata.name!=a"))).containsExactly("b");
        assertThat(names(fields("metadata.name!=a,metadata.name!=b"))).isEmpty();
    }

    @Test
    void aFieldThatDoesNotSelectIsInvalid() {
        assertFailed(store().list(PV, ListOptions.ALL.withFields("spec.nonsense=1")), Failure.INVALID);
        assertFailed(store().list(PV, ListOptions.ALL.withFields("nonsense")), Failure.INVALID);
    }

    @Test
    void pagesShowEverythingOnceInOrder() {
        for (int i = 0; i < 7; i++) {
            create(volume("v" + i));
        }
        List<PersistentVolume> all = pages(ListOptions.ALL.withLimit(3), page -> {});
        assertThat(names(all)).containsExactly("v0", "v1", "v2", "v3", "v4", "v5", "v6");
    }

    @Test
    void aLimitThatIsNotExceededMakesOnePage() {
        create(volume("a"));
        create(volume("b"));
        ObjectList<PersistentVolume> list =
                store().list(PV, ListOptions.ALL.withLimit(2)).orThrow();
        assertThat(list.items()).hasSize(2);
        assertThat(list.continueToken()).isEmpty();
    }

    @Test
    void allPagesShowOneRevision() {
        for (int i = 0; i < 6; i++) {
            create(labelled(volume("v" + i), "tier", "gold"));
        }
        List<PersistentVolume> before =
                store().list(PV, ListOptions.ALL).orThrow().items();
        List<Revision> revisions = new ArrayList<>();
        List<PersistentVolume> all = pages(ListOptions.ALL.withLimit(2), page -> {
            revisions.add(page.revision());
            if (revisions.size() == 1) {
                create(volume("v3a"));
                destroy(store().get(PV, ObjectKey.cluster("v4")).orThrow());
                edit(before.get(5), metadata -> metadata.withLabels(Map.of()));
            }
        });
        assertThat(all).isEqualTo(before);
        assertThat(revisions).hasSize(3).containsOnly(revisions.get(0));
    }

    @Test
    void pagesOfASelectionCountOnlyWhatIsSelected() {
        for (int i = 0; i < 6; i++) {
            create(labelled(volume("v" + i), "tier", i % 2 == 0 ? "gold" : "silver"));
        }
        LabelSelector gold = new LabelSelector(Map.of("tier", "gold"), List.of());
        List<PersistentVolume> all = pages(ListOptions.ALL.withLimit(2).withLabels(gold), page -> {});
        assertThat(names(all)).containsExactly("v0", "v2", "v4");
    }

    @Test
    void pagesOfANamespaceEndWithIt() {
        for (String name : List.of("a", "b", "c")) {
            create(claim("x", name));
            create(claim("y", name));
        }
        ListOptions options = ListOptions.inNamespace("x").withLimit(2);
        ObjectList<?> first = store().list(PVC, options).orThrow();
        ObjectList<?> second =
                store().list(PVC, options.after(first.continueToken())).orThrow();
        assertThat(first.items()).hasSize(2);
        assertThat(second.items()).hasSize(1);
        assertThat(second.continueToken()).isEmpty();
    }

    @Test
    void aTokenOfAForgottenRevisionIsGone() {
        for (int i = 0; i < 3; i++) {
            create(volume("v" + i));
        }
        String token = store().list(PV, ListOptions.ALL.withLimit(1)).orThrow().continueToken();
        forgetHistory();
        assertFailed(store().list(PV, ListOptions.ALL.withLimit(1).after(token)), Failure.GONE);
    }

    @Test
    void aTokenThatIsNoneIsInvalid() {
        assertFailed(store().list(PV, ListOptions.ALL.after("nonsense")), Failure.INVALID);
    }

    private List<PersistentVolume> pages(
            ListOptions options, java.util.function.Consumer<ObjectList<PersistentVolume>> afterEach) {
        List<PersistentVolume> all = new ArrayList<>();
        ObjectList<PersistentVolume> page = store().list(PV, options).orThrow();
        while (true) {
            all.addAll(page.items());
            afterEach.accept(page);
            if (page.continueToken().isEmpty()) {
                return all;
            }
            assertThat(page.items()).hasSize(options.limit());
            page = store().list(PV, options.after(page.continueToken())).orThrow();
        }
    }

    private List<PersistentVolume> fields(String fields) {
        return store().list(PV, ListOptions.ALL.withFields(fields)).orThrow().items();
    }

    private List<String> selected(LabelSelector selector) {
        return names(
                store().list(PV, ListOptions.ALL.withLabels(selector)).orThrow().items());
    }

    static LabelSelector where(String key, String operator, String... values) {
        return new LabelSelector(Map.of(), List.of(new LabelSelectorRequirement(key, operator, List.of(values))));
    }

    private static List<String> names(List<? extends dev.mooring.storage.model.KubernetesObject> objects) {
        return objects.stream().map(object -> object.metadata().name()).toList();
    }
}
