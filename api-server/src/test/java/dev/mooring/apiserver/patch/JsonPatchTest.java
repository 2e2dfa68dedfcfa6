// SPDX-License-Identifier: Apache-2.0
package dev.mooring.apiserver.patch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mooring.storage.codec.KubernetesJson;
import dev.mooring.storage.document.Document;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** RFC 6902, with its own examples. */
class JsonPatchTest {
    private static final KubernetesJson JSON = KubernetesJson.standard();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{'foo':'bar'} | [{'op':'add','path':'/baz','value':'qux'}] | {'foo':'bar','baz':'qux'}",
                "{'foo':['bar','baz']} | [{'op':'add','path':'/foo/1','value':'qux'}] | {'foo':['bar','qux','baz']}",
                "{'foo':['bar']} | [{'op':'add','path':'/foo/-','value':['abc']}] | {'foo':['bar',['abc']]}",
                "{'foo':'bar'} | [{'op':'add','path':'','value':{'a':1}}] | {'a':1}",
                "{'foo':'bar'} | [{'op':'add','from':null,'path':'/baz','value':'qux'}] | {'foo':'bar','baz':'qux'}",
                "{'baz':'qux','foo':'bar'} | [{'op':'remove','path':'/baz'}] | {'foo':'bar'}",
                "{'foo':['a','b','c']} | [{'op':'remove','path':'/foo/1'}] | {'foo':['a','c']}",
                "{'baz':'qux'} | [{'op':'replace','path':'/baz','value':'boo'}] | {'baz':'boo'}",
                "{} | [{'op':'replace','path':'/a','value':1}] | {'a':1}",
                "{} | [{'op':'copy','from':'/a','path':'/b'}] | {'b':null}",
                "{} | [{'op':'add','path':'/a'}] | {'a':null}",
                "{'a':1} | [{'op':'replace','path':'/a'}] | {'a':null}",
                "{'a':{'b':1},'c':{}} | [{'op':'move','from':'/a/b','path':'/c/d'}] | {'a':{},'c':{'d':1}}",
                "{'foo':['all','grass','cows','eat']} | [{'op':'move','from':'/foo/1','path':'/foo/3'}] | {'foo':['all','cows','eat','grass']}",
                "{'a':[1]} | [{'op':'copy','from':'/a','path':'/b'},{'op':'add','path':'/b/-','value':2}] | {'a':[1],'b':[1,2]}",
                "{'a/b':1,'m~n':2} | [{'op':'test','path':'/a~1b','value':1},{'op':'test','path':'/m~0n','value':2}] | {'a/b':1,'m~n':2}",
                "{'a':1} | [{'op':'test','path':'/b','value':null}] | {'a':1}",
                "{'a':[1,2]} | [{'op':'remove','path':'/a/-2'},{'op':'add','path':'/a/-1','value':3}] | {'a':[2,3]}",
                "{'a':[1,2]} | [{'op':'replace','path':'/a/-1','value':3},{'op':'test','path':'/a/-1','value':3}] | {'a':[1,3]}",
            })
    void applies(String before, String patch, String after) {
        assertThat(JsonPatch.apply(json(before), operations(patch))).isEqualTo(json(after));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "{} | [{'op':'remove','path':'/a'}] | true",
                "{} | [{'op':'add','path':'/a/b','value':1}] | true",
                "{'a':[]} | [{'op':'add','path':'/a/1','value':1}] | true",
                "{'a':[]} | [{'op':'replace','path':'/a/0','value':1}] | true",
                "{} | [{'op':'replace','path':'/a/b','value':1}] | true",
                "{} | [{'op':'copy','from':'/a/b','path':'/b'}] | true",
                "{'a':[1]} | [{'op':'add','path':'/a/01','value':1}] | true",
                "{'a':[1]} | [{'op':'remove','path':'/a/-'}] | true",
                "{'a':1} | [{'op':'test','path':'/a','value':2}] | true",
                "{} | [{'op':'test','path':'/a','value':1}] | true",
                "{} | [{'op':'test','path':'/a/b','value':null}] | true",
                "{'a':[1]} | [{'op':'remove','path':'/a/-2'}] | true",
                "{'a':[1]} | [{'op':'add','path':'/a/-3','value':1}] | true",
                "{'a':{}} | [{'op':'move','from':'/a','path':'/a/b'}] | true",
                "{} | [{'op':'add','path':'','value':7}] | true",
                "{} | [{'op':'move','from':'/a','path':'/b'}] | true",
                "{} | [{'op':'add','path':'a','value':1}] | true",
                "{} | [{'op':'add','value':1}] | true",
                "{} | [{'op':'move','path':'/a'}] | true",
                "{} | [{'op':'copy','path':'/a'}] | true",
                "{} | [{'op':'fly','path':'/a'}] | true",
                "{} | [{'op':'fly'}] | true",
                "{} | [{'path':'/a'}] | true",
                "{} | [{'op':null,'path':'/a'}] | true",
                "{} | [{'op':'add','path':null,'value':1}] | true",
                "{} | [{}] | true",
                "{} | [{'op':7,'path':'/a'}] | true",
                "{} | [{'op':'add','path':['a'],'value':1}] | true",
                "{'a':1} | [{'op':'copy','from':{},'path':'/b'}] | true",
                "{} | [7] | false",
                "{} | [{'op':'remove','path':'/a'},7] | false",
            })
    void refuses(String before, String patch, boolean unfit) {
        assertThatThrownBy(() -> JsonPatch.apply(json(before), operations(patch)))
                .isInstanceOfSatisfying(
                        PatchException.class, e -> assertThat(e.isUnfit()).isEqualTo(unfit));
    }

    @Test
    void aKeyIsNoLongerThanInABody() {
        String patch = "[{'op':'add','path':'/" + "k".repeat(60_000) + "','value':1}]";
        assertThatThrownBy(() -> JsonPatch.apply(json("{}"), operations(patch)))
                .isInstanceOfSatisfying(
                        PatchException.class, e -> assertThat(e.isUnfit()).isFalse());
    }

    /** Each copy doubles what there is. */
    @Test
    void aSmallPatchDoesNotMakeALargeObject() {
        String twice = "{'op':'copy','from':'/a','path':'/a/-'}";
        String patch = "[" + String.join(",", Collections.nCopies(22, twice)) + "]";
        assertThatThrownBy(() -> JsonPatch.apply(json("{'a':[1]}"), operations(patch)))
                .isInstanceOf(PatchException.class)
                .hasMessageContaining("copies");
    }

    @Test
    void copiesIntoThemselvesAreNotNestedWithoutEnd() {
        StringBuilder patch = new StringBuilder("[");
        for (int i = 0; i < 16; i++) {
            String deep = "/a".repeat(1 << i);
            patch.append(i == 0 ? "" : ",").append("{'op':'copy','from':'/a','path':'" + deep + "/a'}");
        }
        assertThatThrownBy(() -> JsonPatch.apply(json("{'a':{}}"), operations(patch + "]")))
                .isInstanceOf(PatchException.class);
        String doubling = "[" + String.join(",", Collections.nCopies(9, DOUBLED)) + "]";
        assertThatThrownBy(() -> JsonPatch.apply(json("{'a':[]}"), operations(doubling.formatted(depths(9)))))
                .isInstanceOf(PatchException.class)
                .hasMessageContaining("200 levels");
    }

    private static final String DOUBLED = "{'op':'copy','from':'/a','path':'/a%s/-'}";

    private static Object[] depths(int steps) {
        return IntStream.range(0, steps)
                .mapToObj(i -> "/0".repeat((1 << i) - 1))
                .toArray();
    }

    private static Document json(String text) {
        return JSON.read(text.replace('\'', '"'), "test");
    }

    private static List<?> operations(String text) {
        return (List<?>) json("{'o':" + text + "}").at("o").orElseThrow();
    }
}
